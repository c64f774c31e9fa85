import type { X509Certificate } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  anyExtendedKeyUsage,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  type GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_kp_serverAuth,
  NameConstraints,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';

/** A certificate's limits that Node doesn't expose. */
interface CertificateLimits {
  /** Self-signed, like root authorities. */
  readonly isOwnIssuer: boolean;
  readonly hasStrongSignature: boolean;
  readonly hasStrongKey: boolean;
  readonly isForServers: boolean;
  /** The number of authorities below it, without self-signed ones. */
  readonly maxBelow: number;
  readonly names: Names;
  readonly bounds: NameBounds;
}

/** Reject other critical extensions (RFC 5280 4.2). */
const understoodExtensions: ReadonlySet<string> = new Set([
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
const minRsaBits = 2048;

/**
 * Null for limits that can't be enforced: unknown critical or duplicate extensions, bounds for other names.
 * Throws for an invalid certificate.
 */
export function certificateLimits(certificate: X509Certificate): CertificateLimits | null {
  const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(certificate.raw, Certificate);
  const extensions = tbsCertificate.extensions ?? [];
  const ids = extensions.map(({ extnID }) => extnID);
  if (new Set(ids).size < ids.length) return null;
  if (extensions.some(({ extnID, critical }) => critical && !understoodExtensions.has(extnID))) return null;
  const read = <T>(id: string, type: new () => T): T | undefined => {
    const extension = extensions.find(({ extnID }) => extnID === id);
    return extension && AsnConvert.parse(extension.extnValue.buffer, type);
  };
  const bounds = nameBounds(read(id_ce_nameConstraints, NameConstraints));
  if (!bounds) return null;
  const extendedUsage = read(id_ce_extKeyUsage, ExtendedKeyUsage);
  return {
    isOwnIssuer: certificate.subject === certificate.issuer,
    hasStrongSignature: strongSignatures.has(signatureAlgorithm.algorithm),
    hasStrongKey: isStrongKey(certificate),
    isForServers:
      !extendedUsage ||
      extendedUsage.includes(id_kp_serverAuth) ||
      extendedUsage.includes(anyExtendedKeyUsage),
    maxBelow: read(id_ce_basicConstraints, BasicConstraints)?.pathLenConstraint ?? Number.POSITIVE_INFINITY,
    names: namesOf(read(id_ce_subjectAltName, SubjectAlternativeName)),
    bounds,
  };
}

function isStrongKey({ publicKey }: X509Certificate): boolean {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details = {} } = publicKey;
  if (kind === 'rsa') return (details.modulusLength ?? 0) >= minRsaBits;
  return kind === 'ec' && strongCurves.has(details.namedCurve ?? '');
}

/** A certificate's host names. */
interface Names {
  /** Lower case; may contain wildcards. */
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
}

/** RFC 5280 4.2.1.10. */
interface NameBounds {
  allow(names: Names): boolean;
}

const unlimitedNames: NameBounds = { allow: () => true };

function namesOf(alternatives: SubjectAlternativeName | undefined): Names {
  const names = [...(alternatives ?? [])];
  return {
    hosts: names.flatMap(({ dNSName }) => (dNSName === undefined ? [] : [dNSName.toLowerCase()])),
    addresses: names.flatMap(({ iPAddress }) => (iPAddress === undefined ? [] : [iPAddress])),
  };
}

/** Null with bounds for other names, which can't be checked. */
function nameBounds(constraints: NameConstraints | undefined): NameBounds | null {
  if (!constraints) return unlimitedNames;
  const bases = (trees: typeof constraints.permittedSubtrees) => [...(trees ?? [])].map(({ base }) => base);
  const permitted = bases(constraints.permittedSubtrees);
  const excludedNames = bases(constraints.excludedSubtrees);
  if (![...permitted, ...excludedNames].every(isOfHosts)) return null;
  const mayHosts = hostsOf(permitted);
  const mayAddresses = addressesOf(permitted);
  const notHosts = hostsOf(excludedNames);
  const notAddresses = rangesOf(addressesOf(excludedNames));
  const inRanges = rangesOf(mayAddresses);
  return {
    allow: ({ hosts, addresses }) =>
      hosts.every(
        (host) =>
          (mayHosts.length === 0 || mayHosts.some((base) => isWithin(host, base))) &&
          !notHosts.some((base) => touches(host, base)),
      ) &&
      addresses.every(
        (address) => (mayAddresses.length === 0 || isIn(inRanges, address)) && !isIn(notAddresses, address),
      ),
  };
}

const isOfHosts = ({ dNSName, iPAddress }: GeneralName) => dNSName !== undefined || iPAddress !== undefined;

const hostsOf = (bases: readonly GeneralName[]) =>
  bases.flatMap(({ dNSName }) => (dNSName === undefined ? [] : [dNSName.toLowerCase()]));

/** For example `10.0.0.0/8`. */
const addressesOf = (bases: readonly GeneralName[]) =>
  bases.flatMap(({ iPAddress }) => (iPAddress === undefined ? [] : [iPAddress]));

/** A leading dot excludes `base` itself. A wildcard must be within as a whole. */
function isWithin(host: string, base: string): boolean {
  if (base === '') return true;
  const name = host.replace(/^\*\./, '');
  if (base.startsWith('.')) return name.endsWith(base) || `*${base}` === host;
  return name === base || name.endsWith(`.${base}`);
}

/** True if the wildcard matches any name within. */
function touches(host: string, base: string): boolean {
  if (isWithin(host, base)) return true;
  return host.startsWith('*.') && base.replace(/^\./, '').endsWith(host.slice(1));
}

/** Throws for an invalid range. */
function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

const isIn = (list: BlockList, address: string) => list.check(address, familyOf(address));

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
