// jayson's clients over TCP and HTTP, against a server at 127.0.0.1 whose port is in ANYWIRE_PORT.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const jayson = require('jayson/promise');

const server = { host: '127.0.0.1', port: Number(process.env.ANYWIRE_PORT) };
const clients = { TCP: jayson.Client.tcp(server), HTTP: jayson.Client.http(server) };

for (const [name, client] of Object.entries(clients)) {
  test(`${name}: results`, async () => {
    assert.equal((await client.request('sum', [2, 3])).result, 5);
    assert.equal((await client.request('sum', { a: 2, b: 3 })).result, 5);
    assert.equal((await client.request('hello', { name: 'Ж ☃ 🙂' })).result, 'hello, Ж ☃ 🙂');
  });

  test(`${name}: errors`, async () => {
    assert.equal((await client.request('nope', [])).error.code, -32601);
    const { error } = await client.request('sum', { a: 2 });
    assert.equal(error.code, -32602);
    assert.equal(error.data.errors[0].path, 'b');
  });

  test(`${name}: ids`, async () => {
    for (const id of [0, -1, 'abc', '']) {
      assert.equal((await client.request('hello_world', [], id)).id, id);
    }
  });

  test(`${name}: notification`, async () => {
    assert.equal(await client.request('hello', [], null), undefined);
  });

  test(`${name}: batch`, async () => {
    const answers = await client.request([
      client.request('sum', [2, 3], 1, false),
      client.request('hello', [], null, false),
      client.request('nope', [], 2, false),
    ]);
    assert.deepEqual(answers.map((a) => [a.id, a.result ?? a.error.code]), [[1, 5], [2, -32601]]);
  });

  test(`${name}: many at once`, async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => client.request('sum', [i, 1])));
    assert.deepEqual(answers.map((a) => a.result), answers.map((_, i) => i + 1));
  });

  test(`${name}: large`, async () => {
    const text = 'x'.repeat(1_000_000);
    assert.equal((await client.request('echo', [text])).result, text);
  });
}
