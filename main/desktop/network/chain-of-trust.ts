import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { certificateLimits } from './certificate-limits.ts';

export interface ChainQuestion {
  /** PEM, the server's own first, then each one's issuer as far as the server sent them. */
  readonly chain: readonly string[];
  /** As in a URL, an IPv6 address with or without brackets. */
  readonly hostname: string;
  /** PEM. */
  readonly authorities: readonly string[];
  /** Ms since the epoch. */
  readonly now: number;
}

/** Extended key usage "TLS server" (RFC 5280 4.2.1.12). */
const serverUse = '1.3.6.1.5.5.7.3.1';
const maxChain = 8;

/**
 * Whether a server's certificate is for that host (by subjectAltName alone), for servers, and signed by one
 * of these authorities, each certificate on the way being an authority, valid now, and having signed the one
 * before it (RFC 5280 6.1). All of them keep to the limits that the ones above set, and to the strength that
 * browsers ask for: SHA-256, RSA of 2048 bits or P-256. False for what can't be read, and for limits that
 * can't be held.
 */
export function isTrustedChain({ chain, hostname, authorities, now }: ChainQuestion): boolean {
  try {
    const [server, ...issuers] = chain.slice(0, maxChain).map((pem) => new X509Certificate(pem));
    if (!server || !isFor(server, hostname)) return false;
    const anchors = authorities.map((pem) => new X509Certificate(pem));
    const way = [server];
    let current = server;
    for (const next of [...issuers, null]) {
      if (!isValid(current, now)) return false;
      const signed = current;
      const above = anchors.filter((anchor) => isValid(anchor, now) && hasSigned(anchor, signed));
      if (above.some((anchor) => keepsToLimits([...way, anchor]))) return true;
      if (!next || !hasSigned(next, signed)) return false;
      current = next;
      way.push(next);
    }
    return false;
  } catch {
    return false;
  }
}

/** From the server up to an authority that is trusted as it is: its own signature does not matter. */
function keepsToLimits(way: readonly X509Certificate[]): boolean {
  const all = way.map(certificateLimits);
  return all.every((one, index) => {
    if (!one?.hasStrongKey || !one.isForServers) return false;
    const isAnchor = index === all.length - 1;
    if (!isAnchor && !one.hasStrongSignature) return false;
    const below = all.slice(0, index);
    const between = below.slice(1).filter((other) => !other?.isOwnIssuer).length;
    return between <= one.maxBelow && below.every((other) => other !== null && one.bounds.hold(other.names));
  });
}

function isFor(server: X509Certificate, hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const named = isIP(host)
    ? server.checkIP(host)
    : server.checkHost(host, { subject: 'never', partialWildcards: false });
  if (named === undefined || server.ca) return false;
  const uses: readonly string[] | undefined = server.keyUsage;
  return uses === undefined || uses.includes(serverUse);
}

function isValid({ validFromDate, validToDate }: X509Certificate, now: number): boolean {
  return validFromDate.getTime() <= now && now <= validToDate.getTime();
}

function hasSigned(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
