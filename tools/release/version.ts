import { gt, inc, type ReleaseType, valid } from 'semver';

const steps: readonly string[] = ['patch', 'minor', 'major'];

/**
 * The version that follows. `wanted` is `patch`, `minor`, `major` or the version itself; a pre-release is followed by what it
 * was the pre-release of. Pure. Throws for what is no version, and for one that is not above the current one.
 */
export function nextVersion(current: string, wanted: string): string {
  const next = steps.includes(wanted) ? inc(current, wanted as ReleaseType) : wanted;
  // Neither a `v` nor build metadata: our packers can't carry that.
  if (next === null || valid(next) !== next)
    throw new Error(
      `“${wanted}” is no version: it takes patch, minor, major or a version such as 1.2.3 or 1.3.0-beta.1.`,
    );
  if (!gt(next, current)) throw new Error(`${wanted} is not above ${current}.`);
  return next;
}
