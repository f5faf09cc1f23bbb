// The document of rpc.discover, by OpenRPC's own tools, from a server at 127.0.0.1 whose port is in ANYWIRE_PORT.
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const Ajv = require('ajv');
const { default: schemaOfSchemas } = require('@json-schema-tools/meta-schema');
const { openrpcDocument: metaSchema } = require('@open-rpc/meta-schema');
const tools = require('@open-rpc/schema-utils-js');

let document;

test.before(async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'rpc.discover', id: 1 });
  const response = await fetch(`http://127.0.0.1:${process.env.ANYWIRE_PORT}/`, { method: 'POST', body });
  document = (await response.json()).result;
});

test('schema-utils-js, which knows OpenRPC 1.4', () => {
  assert.match(document.openrpc, /^1\.4\./);
  assert.equal(tools.validateOpenRPCDocument(document), true);
  assert.notEqual(tools.validateOpenRPCDocument({ ...document, methods: [{}] }), true, 'it looks at the methods');
});

// The newest published meta-schema ends with 1.3.2. The document uses nothing that came later but the number.
test('meta-schema, which knows OpenRPC 1.3', () => {
  const ajv = new Ajv();
  ajv.addSchema(schemaOfSchemas, 'https://meta.json-schema.tools');
  const valid = ajv.validate(metaSchema, { ...document, openrpc: '1.3.2' });
  assert.ok(valid, ajv.errorsText());
});

test('every reference leads somewhere', async () => {
  const whole = await tools.dereferenceDocument(structuredClone(document));
  assert.equal(JSON.stringify(whole).includes('$ref'), false);
});

test('calls, judged by the document', async () => {
  const whole = await tools.dereferenceDocument(structuredClone(document));
  const validator = new tools.MethodCallValidator(whole);
  const judge = (method, params) => validator.validate(method, params).length;
  assert.equal(judge('sum', [2, 3]), 0);
  assert.equal(judge('sum', ['2', 3]), 1);
  assert.equal(judge('save_order', ['1', ['apple']]), 0);
  assert.equal(judge('save_order', ['1', 'apple']), 1);
});
