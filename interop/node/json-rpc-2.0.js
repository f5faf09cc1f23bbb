// json-rpc-2.0 over fetch, as a page would use it, against a server at 127.0.0.1 whose port is in ANYWIRE_PORT.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { JSONRPCClient, createJSONRPCRequest } = require('json-rpc-2.0');

const url = `http://127.0.0.1:${process.env.ANYWIRE_PORT}/`;
const client = new JSONRPCClient(async (request) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (response.status === 200) {
    return client.receive(await response.json());
  }
  assert.equal(response.status, 204);
});

test('results', async () => {
  assert.equal(await client.request('sum', [2, 3]), 5);
  assert.equal(await client.request('sum', { a: 2, b: 3 }), 5);
});

test('errors', async () => {
  await assert.rejects(client.request('nope'), { code: -32601 });
  await assert.rejects(client.request('sum'), { code: -32602 });
});

test('notification', async () => {
  await client.notify('hello', { name: 'Ada' });
});

test('batch', async () => {
  const answers = await client.requestAdvanced([
    createJSONRPCRequest('a', 'sum', [2, 3]),
    createJSONRPCRequest('b', 'nope'),
  ]);
  assert.deepEqual(answers.map((a) => [a.id, a.result ?? a.error.code]), [['a', 5], ['b', -32601]]);
});
