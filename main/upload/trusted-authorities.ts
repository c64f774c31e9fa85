import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/**
 * Whom to trust at that endpoint: Node's own certificate authorities, the system's (where offices keep theirs) and further ones, PEM.
 * Undefined for an endpoint without TLS.
 */
export function trustFor(
  endpoint: string | undefined,
  further: readonly string[],
): SecureContext | undefined {
  if (endpoint?.startsWith('http:')) return undefined;
  const ca = new Set([...getCACertificates('default'), ...systemAuthorities(), ...further]);
  return createSecureContext({ ca: [...ca] });
}

function systemAuthorities(): readonly string[] {
  try {
    return getCACertificates('system');
  } catch {
    return [];
  }
}
