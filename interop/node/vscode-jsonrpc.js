// The client of language servers, with LSP headers over TCP, against a server at 127.0.0.1 whose port is in ANYWIRE_PORT.
'use strict';

const assert = require('node:assert/strict');
const net = require('node:net');
const test = require('node:test');
const rpc = require('vscode-jsonrpc/node');

const canceled = -32001;

let socket;
let connection;

test.beforeEach(() => {
  socket = net.connect(Number(process.env.ANYWIRE_PORT), '127.0.0.1');
  connection = rpc.createMessageConnection(new rpc.SocketMessageReader(socket), new rpc.SocketMessageWriter(socket));
  connection.listen();
});

test.afterEach(() => {
  connection.dispose();
  socket.destroy();
});

test('results', async () => {
  assert.equal(await connection.sendRequest('sum', 2, 3), 5);
  assert.equal(await connection.sendRequest('sum', { a: 2, b: 3 }), 5);
  assert.equal(await connection.sendRequest('hello_world'), 'hello world');
});

test('typed request', async () => {
  const divide = new rpc.RequestType2('divide');
  assert.equal(await connection.sendRequest(divide, 7, 2), 3.5);
});

test('characters of several bytes', async () => {
  assert.equal(await connection.sendRequest('hello', { name: 'Ж ☃ 🙂' }), 'hello, Ж ☃ 🙂');
});

test('errors', async () => {
  await assert.rejects(connection.sendRequest('nope'), { code: rpc.ErrorCodes.MethodNotFound });
  await assert.rejects(connection.sendRequest('sum', { a: 2 }), { code: rpc.ErrorCodes.InvalidParams });
});

test('notification', async () => {
  await connection.sendNotification('hello', { name: 'Ada' });
  assert.equal(await connection.sendRequest('sum', 2, 3), 5);
});

test('cancellation', async () => {
  const source = new rpc.CancellationTokenSource();
  const asleep = connection.sendRequest('sleep', { ms: 60_000 }, source.token);
  assert.equal(await connection.sendRequest('sum', 2, 3), 5, 'an answer while another call runs');
  source.cancel();
  await assert.rejects(asleep, { code: canceled });
});

test('many at once', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => connection.sendRequest('sum', i, 1)));
  assert.deepEqual(answers, answers.map((_, i) => i + 1));
});
