import { expect, it } from 'vitest';
import { proxyFault, socksFault } from '../../../main/storage/connection-fault.ts';

const proxy = new URL('http://office:3128');
const nodeError = (code: string, fields: object = {}) => Object.assign(new Error(code), { code, ...fields });
const codeOf = (error: Error, isConnected = false) =>
  proxyFault(error, proxy, isConnected)?.fault.code ?? null;

it('proxyFault() reports an unreachable proxy when no connection was made', () => {
  expect(codeOf(nodeError('ECONNREFUSED', { syscall: 'connect' }))).toBe('ProxyUnreachable');
  expect(codeOf(nodeError('ENOTFOUND', { syscall: 'getaddrinfo' }))).toBe('ProxyUnreachable');
  expect(codeOf(nodeError('ERR_PROXY_TUNNEL'))).toBe('ProxyUnreachable');
  const singleError = nodeError('ECONNREFUSED', { syscall: 'connect' });
  expect(
    codeOf(Object.assign(new AggregateError([singleError, singleError]), { code: 'ECONNREFUSED' })),
  ).toBe('ProxyUnreachable');
});

it('proxyFault() reports an unreachable proxy when the connection breaks before the tunnel, not after', () => {
  const reset = nodeError('ECONNRESET', { syscall: 'read' });
  expect(codeOf(reset, false)).toBe('ProxyUnreachable');
  expect(codeOf(reset, true)).toBeNull();
});

it('proxyFault() reports the refusal or challenge of a proxy', () => {
  expect(codeOf(nodeError('ERR_PROXY_TUNNEL', { statusCode: 403 }))).toBe('ProxyRefused');
  expect(codeOf(nodeError('ERR_PROXY_TUNNEL', { statusCode: 503 }))).toBe('ProxyRefused');
  expect(codeOf(nodeError('ERR_PROXY_TUNNEL', { statusCode: 407 }))).toBe('ProxyAuthentication');
});

it('proxyFault() ignores certificate errors', () => {
  expect(codeOf(nodeError('UNABLE_TO_VERIFY_LEAF_SIGNATURE'))).toBeNull();
});

it('proxyFault() names the proxy without its password', () => {
  const withLogin = new URL('http://me:secret@office:3128');
  const fault = proxyFault(nodeError('ECONNREFUSED', { syscall: 'connect' }), withLogin, false)?.fault;
  expect(fault?.message).toBe('ECONNREFUSED at office:3128');
});

it('socksFault() reports a refused login', () => {
  const words = new Error('Received invalid Socks5 initial handshake (no accepted authentication type)');
  expect(socksFault(words, new URL('socks5://office:1080')).fault.code).toBe('ProxyAuthentication');
  expect(socksFault(words, new URL('socks5://me:secret@office:1080')).fault.code).toBe('ProxyRefused');
});

it('socksFault() reports a refusal', () => {
  const words = new Error('Socks4 Proxy rejected connection - (Rejected)');
  expect(socksFault(words, new URL('socks4://office:1080')).fault.code).toBe('ProxyRefused');
});

it('socksFault() reports an unreachable proxy otherwise', () => {
  expect(socksFault(new Error('Socket closed'), proxy).fault.code).toBe('ProxyUnreachable');
});
