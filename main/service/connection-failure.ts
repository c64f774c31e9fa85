import type { ErrorCode } from '../errors.ts';

/** More specific than "can't be reached". */
type ConnectionFailure = Extract<
  ErrorCode,
  'certificate-untrusted' | 'proxy-unreachable' | 'proxy-authentication'
>;

/** Of OpenSSL, Node and Chromium (`net::ERR_CERT_AUTHORITY_INVALID`). */
const certificate =
  /\b(?:UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|CERT_UNTRUSTED|CERT_REVOKED|CERT_REJECTED|CERT_SIGNATURE_FAILURE|CERT_CHAIN_TOO_LONG|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID|ERR_CERT_\w+)\b/;
/** Chromium's codes, and the messages of Node's `fetch`. */
const proxyAsks = /\bERR_(?:PROXY_AUTH_\w+|UNEXPECTED_PROXY_AUTH)\b|Proxy response \(407\)/;
const proxyGone =
  /\bERR_(?:PROXY_CONNECTION_FAILED|PROXY_CERTIFICATE_INVALID|TUNNEL_CONNECTION_FAILED|NO_SUPPORTED_PROXIES|MANDATORY_PROXY_CONFIGURATION_FAILED|SOCKS_CONNECTION_\w+)\b|Proxy response \(\d+\)/;

/** An error code, or an error of `fetch` (Node or Chromium) with its causes. */
export function connectionFailure(cause: unknown): ConnectionFailure | null {
  if (typeof cause === 'string') return failureIn(cause);
  for (let error = cause, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    const failure = failureIn(`${'code' in error ? String(error.code) : ''} ${error.message}`);
    if (failure) return failure;
  }
  return null;
}

function failureIn(text: string): ConnectionFailure | null {
  if (proxyAsks.test(text)) return 'proxy-authentication';
  if (certificate.test(text)) return 'certificate-untrusted';
  return proxyGone.test(text) ? 'proxy-unreachable' : null;
}
