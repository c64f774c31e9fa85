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

/** What a certificate says of what it may be used for, as far as Node does not show it. */
interface CertificateLimits {
  /** Signed by itself, as the authorities at the top are. */
  readonly isOwnIssuer: boolean;
  /** Its signature is one of those that browsers still take. */
  readonly hasStrongSignature: boolean;
  /** Its key is long enough, and of a kind that browsers take. */
  readonly hasStrongKey: boolean;
  /** May be used for TLS servers, or for the authorities above them. */
  readonly isForServers: boolean;
  /** How many authorities may come below it, those that sign themselves left out. */
  readonly maxBelow: number;
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
const minRsaBits = 2048;

/**
 * Reads the limits of a certificate. Null for one that sets limits which can't be held here: a critical
 * extension that is not understood, one that is there twice, or bounds for names other than those of hosts.
 * Throws for what is no certificate.
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

/** The names of a certificate that hosts are known by. */
interface Names {
  /** Lower case, wildcards as they are. */
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
}

/** The bounds that an authority sets to the names of what is below it (RFC 5280 4.2.1.10). */
interface NameBounds {
  /** Whether names keep to them, every one. */
  hold(names: Names): boolean;
}

const unbound: NameBounds = { hold: () => true };

/** The names by which a certificate is one of hosts; none where it has none. */
function namesOf(alternatives: SubjectAlternativeName | undefined): Names {
  const all = [...(alternatives ?? [])];
  return {
    hosts: all.flatMap(({ dNSName }) => (dNSName === undefined ? [] : [dNSName.toLowerCase()])),
    addresses: all.flatMap(({ iPAddress }) => (iPAddress === undefined ? [] : [iPAddress])),
  };
}

/**
 * What is set for host names and addresses. Null where bounds for others are set too: they can't be checked.
 */
function nameBounds(constraints: NameConstraints | undefined): NameBounds | null {
  if (!constraints) return unbound;
  const bases = (trees: typeof constraints.permittedSubtrees) => [...(trees ?? [])].map(({ base }) => base);
  const permitted = bases(constraints.permittedSubtrees);
  const excluded = bases(constraints.excludedSubtrees);
  if (![...permitted, ...excluded].every(isOfHosts)) return null;
  const mayHosts = hostsOf(permitted);
  const mayAddresses = addressesOf(permitted);
  const notHosts = hostsOf(excluded);
  const notAddresses = rangesOf(addressesOf(excluded));
  const inRanges = rangesOf(mayAddresses);
  return {
    hold: ({ hosts, addresses }) =>
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

/** As `10.0.0.0/8`. */
const addressesOf = (bases: readonly GeneralName[]) =>
  bases.flatMap(({ iPAddress }) => (iPAddress === undefined ? [] : [iPAddress]));

/**
 * `base` and all below it; with a leading dot, as it is often written, what is below it only. A wildcard
 * stands for all that it may be.
 */
function isWithin(host: string, base: string): boolean {
  if (base === '') return true;
  const name = host.replace(/^\*\./, '');
  if (base.startsWith('.')) return name.endsWith(base) || `*${base}` === host;
  return name === base || name.endsWith(`.${base}`);
}

/** Whether something that the name may be is within. */
function touches(host: string, base: string): boolean {
  if (isWithin(host, base)) return true;
  return host.startsWith('*.') && base.replace(/^\./, '').endsWith(host.slice(1));
}

/** Throws for a range that is none. */
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
