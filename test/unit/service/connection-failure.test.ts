import { expect, it } from 'vitest';
import { connectionFailure } from '../../../main/service/connection-failure.ts';

const coded = (code: string, message = 'fetch failed') => Object.assign(new Error(message), { code });

it.each([
  [new Error('net::ERR_CERT_AUTHORITY_INVALID'), 'certificate-untrusted'],
  [new TypeError('fetch failed', { cause: coded('SELF_SIGNED_CERT_IN_CHAIN') }), 'certificate-untrusted'],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate-untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate-untrusted'],
  [new Error('net::ERR_PROXY_CONNECTION_FAILED'), 'proxy-unreachable'],
  [new Error('net::ERR_TUNNEL_CONNECTION_FAILED'), 'proxy-unreachable'],
  [coded('X', 'Proxy response (502) !== 200 when HTTP Tunneling'), 'proxy-unreachable'],
  [coded('X', 'Proxy response (407) !== 200 when HTTP Tunneling'), 'proxy-authentication'],
  [new Error('net::ERR_PROXY_AUTH_REQUESTED'), 'proxy-authentication'],
  [coded('ECONNREFUSED'), null],
  [new Error('net::ERR_NAME_NOT_RESOLVED'), null],
  ['ECONNRESET', null],
  [undefined, null],
])('connectionFailure() classifies %s', (error, failure) => expect(connectionFailure(error)).toBe(failure));

it('connectionFailure() ends when an error is its own cause', () => {
  const error = new Error('round');
  error.cause = error;
  expect(connectionFailure(error)).toBeNull();
});
