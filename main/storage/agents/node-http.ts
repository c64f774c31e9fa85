/**
 * Importing 'node:http' would read its `WebSocket` and load all of `fetch`, half of an upload thread's start
 * time.
 */
export const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule('node:http');
export const { Agent: HttpsAgent, request: httpsRequest } = process.getBuiltinModule('node:https');
