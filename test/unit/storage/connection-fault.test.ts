import { describe, expect, it } from 'vitest';
import { proxyFault, socksFault } from '../../../main/storage/connection-fault.ts';

const proxy = new URL('http://office:3128');
const nodeError = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
const codeOf = (error: Error, connected = false) => proxyFault(error, proxy, connected)?.fault.code ?? null;

describe('an error of a request over an HTTP proxy', () => {
  it('is about reaching the proxy where no connection came about', () => {
    expect(codeOf(nodeError('ECONNREFUSED', { syscall: 'connect' }))).toBe('ProxyUnreachable');
    expect(codeOf(nodeError('ENOTFOUND', { syscall: 'getaddrinfo' }))).toBe('ProxyUnreachable');
    expect(codeOf(nodeError('ERR_PROXY_TUNNEL'))).toBe('ProxyUnreachable');
    const each = nodeError('ECONNREFUSED', { syscall: 'connect' });
    expect(codeOf(Object.assign(new AggregateError([each, each]), { code: 'ECONNREFUSED' }))).toBe(
      'ProxyUnreachable',
    );
  });

  it('is about reaching it where it breaks off before the way stands, and not after that', () => {
    const reset = nodeError('ECONNRESET', { syscall: 'read' });
    expect(codeOf(reset, false)).toBe('ProxyUnreachable');
    expect(codeOf(reset, true)).toBeNull();
  });

  it('is the proxy’s refusal, or its question, where it answered', () => {
    expect(codeOf(nodeError('ERR_PROXY_TUNNEL', { statusCode: 403 }))).toBe('ProxyRefused');
    expect(codeOf(nodeError('ERR_PROXY_TUNNEL', { statusCode: 503 }))).toBe('ProxyRefused');
    expect(codeOf(nodeError('ERR_PROXY_TUNNEL', { statusCode: 407 }))).toBe('ProxyAuthentication');
  });

  it('is about something else where a certificate is', () => {
    expect(codeOf(nodeError('UNABLE_TO_VERIFY_LEAF_SIGNATURE'))).toBeNull();
  });

  it('names the proxy, and no password of it', () => {
    const withLogin = new URL('http://me:secret@office:3128');
    const fault = proxyFault(nodeError('ECONNREFUSED', { syscall: 'connect' }), withLogin, false)?.fault;
    expect(fault?.message).toBe('ECONNREFUSED at office:3128');
  });
});

describe('a handshake with a SOCKS proxy that failed', () => {
  it('is the last word of a proxy that takes no login, even the one it was given', () => {
    const words = new Error('Received invalid Socks5 initial handshake (no accepted authentication type)');
    expect(socksFault(words, new URL('socks5://office:1080')).fault.code).toBe('ProxyAuthentication');
    expect(socksFault(words, new URL('socks5://me:secret@office:1080')).fault.code).toBe('ProxyRefused');
  });

  it('is a refusal where the proxy says so', () => {
    const words = new Error('Socks4 Proxy rejected connection - (Rejected)');
    expect(socksFault(words, new URL('socks4://office:1080')).fault.code).toBe('ProxyRefused');
  });

  it('is no way at all otherwise', () => {
    expect(socksFault(new Error('Socket closed'), proxy).fault.code).toBe('ProxyUnreachable');
  });
});
