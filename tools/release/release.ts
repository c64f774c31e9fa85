import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf, releasedChangelog } from './changelog.ts';
import { lockWithVersion, versionOf, withVersion } from './package-files.ts';
import { nextVersion } from './version.ts';

export interface ReleaseOrder {
  /** The project's folder, a git checkout. */
  readonly root: string;
  /** `patch`, `minor`, `major` or a version. */
  readonly wanted: string;
  /** The day of the release, YYYY-MM-DD. */
  readonly date: string;
  /** Says what would be done, and does none of it. */
  readonly dryRun: boolean;
  readonly say: (line: string) => void;
}

/**
 * Makes a version: its number in package.json and package-lock.json, its date in the changelog, a commit and a tag. Nothing
 * leaves this machine. Throws, with nothing changed, when the checkout has changes of its own or the version is there already.
 */
export function release({ root, wanted, date, dryRun, say }: ReleaseOrder): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  if (!dryRun && git('status', '--porcelain') !== '')
    throw new Error('The checkout has changes that are not committed: commit them or put them away first.');

  const current = versionOf(read('package.json'));
  const version = nextVersion(current, wanted);
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} is there already.`);
  const changed = {
    'package.json': withVersion(read('package.json'), version),
    'package-lock.json': lockWithVersion(read('package-lock.json'), version),
    'CHANGELOG.md': releasedChangelog(read('CHANGELOG.md'), version, date),
  };

  say(`${current} → ${version}, ${date}\n\n${notesOf(changed['CHANGELOG.md'], version)}`);
  if (dryRun) {
    say(`Would change ${Object.keys(changed).join(', ')}, commit them and tag ${tag}. Nothing was done.`);
    return;
  }
  for (const [file, text] of Object.entries(changed)) writeFileSync(join(root, file), text);
  git('commit', '--quiet', '--message', `Version ${version}`, '--', ...Object.keys(changed));
  git('tag', '--annotate', tag, '--message', `Version ${version}`);
  say(`Committed and tagged ${tag}. Pushing the tag makes the installers: git push origin HEAD ${tag}`);
}
