/** A version as Semantic Versioning 2.0.0 has it, without build metadata: our packers can't carry that. */
interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** `beta`, `1`; none in a version for everybody. */
  readonly before: readonly string[];
}

const number = '(0|[1-9]\\d*)';
const form = new RegExp(`^${number}\\.${number}\\.${number}(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$`);

/**
 * The version that follows. `wanted` is `patch`, `minor`, `major` or the version itself; a pre-release is followed by what it
 * was the pre-release of. Pure. Throws for what is no version, and for one that is not above the current one.
 */
export function nextVersion(current: string, wanted: string): string {
  const from = read(current);
  const [major, minor, patch] = from.numbers;
  const early = from.before.length > 0;
  switch (wanted) {
    case 'patch':
      return `${major}.${minor}.${early ? patch : patch + 1}`;
    case 'minor':
      return early && patch === 0 ? `${major}.${minor}.0` : `${major}.${minor + 1}.0`;
    case 'major':
      return early && minor === 0 && patch === 0 ? `${major}.0.0` : `${major + 1}.0.0`;
    default:
      if (compare(read(wanted), from) <= 0) throw new Error(`${wanted} is not above ${current}.`);
      return wanted;
  }
}

function read(text: string): Version {
  const found = form.exec(text);
  const before = found?.[4]?.split('.') ?? [];
  if (!found || before.some((part) => /^0\d+$/.test(part)))
    throw new Error(
      `“${text}” is no version: it takes patch, minor, major or a version such as 1.2.3 or 1.3.0-beta.1.`,
    );
  return { numbers: [Number(found[1]), Number(found[2]), Number(found[3])], before };
}

/** The order of Semantic Versioning, chapter 11. */
function compare(a: Version, b: Version): number {
  for (const [place, number] of a.numbers.entries()) {
    const other = b.numbers[place] ?? 0;
    if (number !== other) return number - other;
  }
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length;
  for (const [place, part] of a.before.entries()) {
    const other = b.before[place];
    // Of two that are alike so far, the longer one is later.
    if (other === undefined) return 1;
    if (part !== other) return comparePart(part, other);
  }
  return a.before.length - b.before.length;
}

/** Numbers come before words, and count as numbers. */
function comparePart(a: string, b: string): number {
  const numeric = /^\d+$/;
  if (numeric.test(a) && numeric.test(b)) return Number(a) - Number(b);
  if (numeric.test(a) !== numeric.test(b)) return numeric.test(a) ? -1 : 1;
  return a < b ? -1 : 1;
}
