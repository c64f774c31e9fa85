/**
 * Node's HTTP client, by the one way that loads no other beside it: an `import` of 'node:http' reads every
 * name that the module has, and `WebSocket`, which is among them, brings all of `fetch`. That is half of what
 * an upload thread takes to begin.
 */
export const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule('node:http');
export const { Agent: HttpsAgent, request: httpsRequest } = process.getBuiltinModule('node:https');
