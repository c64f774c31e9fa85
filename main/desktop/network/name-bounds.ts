import { BlockList, isIP } from 'node:net';
import type { GeneralName, NameConstraints, SubjectAlternativeName } from '@peculiar/asn1-x509';

/** The names of a certificate that hosts are known by. */
export interface Names {
  /** Lower case, wildcards as they are. */
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
}

/** The bounds that an authority sets to the names of what lies below it (RFC 5280 4.2.1.10). */
export interface NameBounds {
  /** Whether names keep to them, every one. */
  hold(names: Names): boolean;
}

const unbound: NameBounds = { hold: () => true };

/** The names by which a certificate is one of hosts; none where it has none. */
export function namesOf(alternatives: SubjectAlternativeName | undefined): Names {
  const all = [...(alternatives ?? [])];
  return {
    hosts: all.flatMap(({ dNSName }) => (dNSName === undefined ? [] : [dNSName.toLowerCase()])),
    addresses: all.flatMap(({ iPAddress }) => (iPAddress === undefined ? [] : [iPAddress])),
  };
}

/** What is set for names of hosts and for addresses. Null where bounds for others are set too, which could not be held. */
export function nameBounds(constraints: NameConstraints | undefined): NameBounds | null {
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

/** `base` and all below it; with a leading dot, as it is often written, what lies below it only. A wildcard stands for all that it may be. */
function isWithin(host: string, base: string): boolean {
  if (base === '') return true;
  const name = host.replace(/^\*\./, '');
  if (base.startsWith('.')) return name.endsWith(base) || `*${base}` === host;
  return name === base || name.endsWith(`.${base}`);
}

/** Whether something that the name may be lies within. */
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
