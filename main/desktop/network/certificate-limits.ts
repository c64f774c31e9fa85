import type { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  anyExtendedKeyUsage,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_kp_serverAuth,
  NameConstraints,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';
import { type NameBounds, type Names, nameBounds, namesOf } from './name-bounds.ts';

/** What a certificate says of what it may be used for, as far as Node does not show it. */
export interface CertificateLimits {
  /** Signed by itself, as the authorities at the top are. */
  readonly isOwnIssuer: boolean;
  /** Its signature is one of those that browsers still take. */
  readonly hasStrongSignature: boolean;
  /** Its key is long enough, and of a kind that browsers take. */
  readonly hasStrongKey: boolean;
  /** May be used for TLS servers, or for the authorities above them. */
  readonly isForServers: boolean;
  /** How many authorities may come below it, those that sign themselves left out. */
  readonly mostBelow: number;
  readonly names: Names;
  /** What the names of all certificates below it have to keep to. */
  readonly bounds: NameBounds;
}

/** Whatever else is critical is not understood here, and so refused (RFC 5280 4.2). */
const understood: ReadonlySet<string> = new Set([
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
]);

/** RSA (PKCS #1) and ECDSA, each with SHA-256, SHA-384 and SHA-512. */
const strongSignatures: ReadonlySet<string> = new Set([
  ...['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.12', '1.2.840.113549.1.1.13'],
  ...['1.2.840.10045.4.3.2', '1.2.840.10045.4.3.3', '1.2.840.10045.4.3.4'],
]);
/** P-256, P-384, P-521. */
const strongCurves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
const shortestRsaBits = 2048;

/**
 * Reads the limits of a certificate. Null for one that sets limits which can't be held here: a critical extension that is not understood, one that is there twice, or bounds for names
 * other than those of hosts. Throws for what is no certificate.
 */
export function certificateLimits(certificate: X509Certificate): CertificateLimits | null {
  const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(certificate.raw, Certificate);
  const extensions = tbsCertificate.extensions ?? [];
  const ids = extensions.map(({ extnID }) => extnID);
  if (new Set(ids).size < ids.length) return null;
  if (extensions.some(({ extnID, critical }) => critical && !understood.has(extnID))) return null;
  const read = <T>(id: string, type: new () => T): T | undefined => {
    const found = extensions.find(({ extnID }) => extnID === id);
    return found && AsnConvert.parse(found.extnValue.buffer, type);
  };
  const bounds = nameBounds(read(id_ce_nameConstraints, NameConstraints));
  if (!bounds) return null;
  const uses = read(id_ce_extKeyUsage, ExtendedKeyUsage);
  return {
    isOwnIssuer: certificate.subject === certificate.issuer,
    hasStrongSignature: strongSignatures.has(signatureAlgorithm.algorithm),
    hasStrongKey: isStrongKey(certificate),
    isForServers: !uses || uses.includes(id_kp_serverAuth) || uses.includes(anyExtendedKeyUsage),
    mostBelow: read(id_ce_basicConstraints, BasicConstraints)?.pathLenConstraint ?? Number.POSITIVE_INFINITY,
    names: namesOf(read(id_ce_subjectAltName, SubjectAlternativeName)),
    bounds,
  };
}

function isStrongKey({ publicKey }: X509Certificate): boolean {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details = {} } = publicKey;
  if (kind === 'rsa') return (details.modulusLength ?? 0) >= shortestRsaBits;
  return kind === 'ec' && strongCurves.has(details.namedCurve ?? '');
}
