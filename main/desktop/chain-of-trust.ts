import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

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
const longestChain = 8;

/**
 * Whether a server's certificate is for that host (by subjectAltName alone), for servers, and signed by one of these authorities, each certificate on the way being an
 * authority, valid now, and having signed the one before it (RFC 5280 6.1, without name constraints and path lengths, which Node does not show). False for what can't be read.
 */
export function isTrustedChain({ chain, hostname, authorities, now }: ChainQuestion): boolean {
  try {
    const [server, ...issuers] = chain.slice(0, longestChain).map((pem) => new X509Certificate(pem));
    if (!server || !isFor(server, hostname)) return false;
    const anchors = authorities.map((pem) => new X509Certificate(pem));
    let current = server;
    for (const next of [...issuers, null]) {
      if (!isValid(current, now)) return false;
      const signed = current;
      if (anchors.some((anchor) => isValid(anchor, now) && hasSigned(anchor, signed))) return true;
      if (!next || !hasSigned(next, signed)) return false;
      current = next;
    }
    return false;
  } catch {
    return false;
  }
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
