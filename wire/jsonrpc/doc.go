// Package jsonrpc is JSON-RPC 2.0 (https://www.jsonrpc.org/specification), exactly: on a bare stream, on a stream with LSP
// headers, and over HTTP.
//
// Where the specification is silent:
//
//   - Order. Answers leave as soon as they are ready, those of a batch together and in the order of its requests.
//   - Identity. An id comes back byte for byte, so 1.0 stays 1.0. On a stream a second call with an id that is still in
//     flight is refused; inside one batch both are answered.
//   - Strictness. Invalid UTF-8, lone surrogates, a byte order mark and nesting over the limit are parse errors. A member
//     that appears twice makes the request invalid. Unknown members are ignored.
//   - End. After bytes that are no JSON a bare stream answers with a parse error, answers what is in flight, and ends:
//     it has no mark from which to go on. LSP and HTTP tell where a message ends, so they go on.
//   - Cancellation. $/cancelRequest or rpc.cancel with {"id": X} cancels the call X of the same connection. It is still
//     answered, with code canceled at the latest.
//   - Metadata. An optional member "meta" carries the deadline and metadata; see appendMeta.
//
// Errors map to numbers so that they travel unchanged both ways: invalid_argument is -32602, unimplemented -32601,
// internal -32603, every other code -32000 minus its number. An application code takes the place of the number, and where
// it hides the code, a member "status" beside it names the code. Details are "data".
package jsonrpc
