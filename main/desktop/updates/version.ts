/** Versions as Semantic Versioning 2.0.0 orders them (clause 11). Pure. */

const shape = /^(\d+)\.(\d+)\.(\d+)(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i;

interface Version {
  readonly numbers: readonly number[];
  /** Empty for a release. */
  readonly preliminary: readonly string[];
}

/** Whether one version comes after another. What is no version comes after nothing. */
export function isNewer(offered: string, current: string): boolean {
  const [one, other] = [parse(offered), parse(current)];
  return one !== null && other !== null && compare(one, other) > 0;
}

function parse(text: string): Version | null {
  const [, major, minor, patch, preliminary] = shape.exec(text) ?? [];
  if (major === undefined) return null;
  return { numbers: [major, minor, patch].map(Number), preliminary: preliminary?.split('.') ?? [] };
}

function compare(one: Version, other: Version): number {
  for (const [place, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[place] ?? 0);
    if (difference !== 0) return difference;
  }
  // A release comes after what led to it.
  if (one.preliminary.length === 0 || other.preliminary.length === 0)
    return other.preliminary.length - one.preliminary.length;
  for (const [place, identifier] of one.preliminary.entries()) {
    const difference = compareIdentifiers(identifier, other.preliminary[place]);
    if (difference !== 0) return difference;
  }
  return one.preliminary.length - other.preliminary.length;
}

function compareIdentifiers(one: string, other: string | undefined): number {
  if (other === undefined) return 1;
  const [oneIsNumber, otherIsNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (oneIsNumber && otherIsNumber) return Number(one) - Number(other);
  if (oneIsNumber !== otherIsNumber) return oneIsNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}
