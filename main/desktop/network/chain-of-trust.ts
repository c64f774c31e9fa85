import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { certificateLimits } from './certificate-limits.ts';

export interface ChainQuestion {
  /** PEM, the server's first. */
  readonly chain: readonly string[];
  /** IPv6 brackets are optional. */
  readonly hostname: string;
  /** PEM. */
  readonly authorities: readonly string[];
  /** Ms since the epoch. */
  readonly nowMs: number;
}

/** Extended key usage "TLS server" (RFC 5280 4.2.1.12). */
const serverUse = '1.3.6.1.5.5.7.3.1';
const maxChain = 8;

/**
 * Verifies a chain (RFC 5280 6.1) for the host in subjectAltName. All certificates must respect their
 * issuers' limits and browsers' minimum: SHA-256, RSA 2048 or P-256. False if anything is unreadable or can't
 * be enforced.
 */
export function isTrustedChain({ chain, hostname, authorities, nowMs }: ChainQuestion): boolean {
  try {
    const [server, ...issuers] = chain.slice(0, maxChain).map((pem) => new X509Certificate(pem));
    if (!server || !isFor(server, hostname)) return false;
    const anchors = authorities.map((pem) => new X509Certificate(pem));
    const chainSoFar = [server];
    let current = server;
    for (const issuer of [...issuers, null]) {
      if (!isValid(current, nowMs)) return false;
      const signed = current;
      const signers = anchors.filter((anchor) => isValid(anchor, nowMs) && hasSigned(anchor, signed));
      if (signers.some((anchor) => keepsToLimits([...chainSoFar, anchor]))) return true;
      if (!issuer || !hasSigned(issuer, signed)) return false;
      current = issuer;
      chainSoFar.push(issuer);
    }
    return false;
  } catch {
    return false;
  }
}

/** The trusted authority's own signature doesn't matter. */
function keepsToLimits(fullChain: readonly X509Certificate[]): boolean {
  const chainLimits = fullChain.map(certificateLimits);
  return chainLimits.every((limits, index) => {
    if (!limits?.hasStrongKey || !limits.isForServers) return false;
    const isAnchor = index === chainLimits.length - 1;
    if (!isAnchor && !limits.hasStrongSignature) return false;
    const lowerLimits = chainLimits.slice(0, index);
    const authoritiesBetween = lowerLimits.slice(1).filter((lowerLimit) => !lowerLimit?.isOwnIssuer).length;
    return (
      authoritiesBetween <= limits.maxBelow &&
      lowerLimits.every((lowerLimit) => lowerLimit !== null && limits.bounds.allow(lowerLimit.names))
    );
  });
}

function isFor(server: X509Certificate, hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const match = isIP(host)
    ? server.checkIP(host)
    : server.checkHost(host, { subject: 'never', partialWildcards: false });
  if (match === undefined || server.ca) return false;
  const keyUsages: readonly string[] | undefined = server.keyUsage;
  return keyUsages === undefined || keyUsages.includes(serverUse);
}

function isValid({ validFromDate, validToDate }: X509Certificate, nowMs: number): boolean {
  return validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime();
}

function hasSigned(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
