import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gt, inc, type ReleaseType, valid } from 'semver';
import { notesOf, releasedChangelog } from './changelog.ts';
import { placeholdersIn } from './placeholders.ts';

interface ReleaseOrder {
  readonly root: string;
  /** `patch`, `minor`, `major` or a version. */
  readonly wanted: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly dryRun: boolean;
  readonly say: (line: string) => void;
}

const files = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

/**
 * Makes a version: updates package.json, package-lock.json and the changelog, commits and tags, but doesn't
 * push. Throws before any change if the checkout has local changes or placeholders, or the version exists.
 */
export function release({ root, wanted: wantedVersion, date, dryRun, say }: ReleaseOrder): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  if (!dryRun && git('status', '--porcelain') !== '')
    throw new Error('The checkout has changes that are not committed: commit them or put them away first.');

  const current: unknown = JSON.parse(read('package.json')).version;
  if (typeof current !== 'string') throw new Error('package.json has no version.');
  const version = nextVersion(current, wantedVersion);
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} is there already.`);
  const changelog = releasedChangelog(read('CHANGELOG.md'), version, date);
  const placeholders = placeholdersIn(root);
  if (placeholders.length > 0 && !dryRun)
    throw new Error(`Replace these placeholders first:\n${placeholders.join('\n')}`);

  say(`${current} → ${version}, ${date}\n\n${notesOf(changelog, version)}`);
  if (dryRun) {
    for (const line of placeholders) say(`Placeholder: ${line}`);
    say(`Would change ${files.join(', ')}, commit them and tag ${tag}. Nothing was done.`);
    return;
  }
  npm(root, 'version', version, '--no-git-tag-version', '--ignore-scripts');
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  git('commit', '--quiet', '--message', `Version ${version}`, '--', ...files);
  git('tag', '--annotate', tag, '--message', `Version ${version}`);
  say(`Committed and tagged ${tag}. Pushing the tag makes the installers: git push origin HEAD ${tag}`);
}

/** `npm run` sets npm's own path; otherwise the one on PATH is used. */
function npm(cwd: string, ...args: readonly string[]): void {
  const script = process.env.npm_execpath;
  const [command, argsBefore] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  execFileSync(command, [...argsBefore, ...args], { cwd, stdio: 'pipe' });
}

const steps: readonly string[] = ['patch', 'minor', 'major'];

/**
 * The next version. `wanted` is `patch`, `minor`, `major` or a version; a pre-release is followed by its
 * release. Pure. Throws if `wanted` is no version or not above the current one.
 */
export function nextVersion(current: string, wantedVersion: string): string {
  const nextVersionText = steps.includes(wantedVersion)
    ? inc(current, wantedVersion as ReleaseType)
    : wantedVersion;
  // Our packers support neither a `v` nor build metadata.
  if (nextVersionText === null || valid(nextVersionText) !== nextVersionText)
    throw new Error(
      `“${wantedVersion}” is no version: it takes patch, minor, major or a version such as 1.2.3 or 1.3.0-beta.1.`,
    );
  if (!gt(nextVersionText, current)) throw new Error(`${wantedVersion} is not above ${current}.`);
  return nextVersionText;
}
