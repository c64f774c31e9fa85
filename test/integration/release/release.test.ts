import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeChecksums } from '../../../tools/release/checksums.mjs';
import { release } from '../../../tools/release/release.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const project = join(import.meta.dirname, '..', '..', '..');

let root: string;
let printedTexts: string[];
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const asText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const order = (wantedVersion: string, dryRun = false) =>
  release({
    root,
    wanted: wantedVersion,
    date: '2026-02-03',
    dryRun,
    say: (line) => printedTexts.push(line),
  });

beforeEach(async () => {
  printedTexts = [];
  root = temporaryFolder();
});

describe('a release', () => {
  beforeEach(() => {
    for (const file of ['package.json', 'package-lock.json'])
      writeFileSync(
        join(root, file),
        readFileSync(join(project, file), 'utf8').replaceAll('.invalid', '.example'),
      );
    writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n\n- Faster.\n');
    git('init', '--quiet');
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Begin');
  });

  it('a release is one commit with a tag: version, lock file and changelog agree, and no package gets another version', () => {
    const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) => JSON.parse(read(file)));
    order('9.0.0');
    expect(read('package.json')).toBe(asText({ ...manifest, version: '9.0.0' }));
    const packages = { ...lock.packages, '': { ...lock.packages[''], version: '9.0.0' } };
    expect(read('package-lock.json')).toBe(asText({ ...lock, version: '9.0.0', packages }));
    expect(read('CHANGELOG.md')).toContain('## [9.0.0] - 2026-02-03\n\n- Faster.');
    expect(git('log', '--format=%s').split('\n').slice(0, 2)).toEqual(['Version 9.0.0', 'Begin']);
    expect(git('tag', '--points-at', 'HEAD').trim()).toBe('v9.0.0');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('a release is refused if something is not committed, with nothing changed', () => {
    writeFileSync(join(root, 'new.txt'), 'new');
    expect(() => order('patch')).toThrow('not committed');
    expect(git('log', '--format=%s').trim()).toBe('Begin');
    expect(git('status', '--porcelain').trim()).toBe('?? new.txt');
  });

  it('a release is refused if its tag exists, with nothing changed', () => {
    git('tag', 'v9.0.0');
    expect(() => order('9.0.0')).toThrow('v9.0.0');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('a release is refused if an address is a placeholder, with nothing changed', () => {
    writeFileSync(join(root, 'SECURITY.md'), '# Security\n\nWrite to security@tilelift.invalid.\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Add an address');
    expect(() => order('patch')).toThrow('SECURITY.md:3: Write to security@tilelift.invalid.');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag', '--list')).toBe('');
  });

  it('a release is only reported on a dry run', () => {
    order('9.0.0', true);
    expect(printedTexts.join('\n')).toContain('→ 9.0.0, 2026-02-03\n\n- Faster.');
    expect(git('tag', '--list')).toBe('');
    expect(git('status', '--porcelain')).toBe('');
  });
});

it('what goes out with the installers has checksums that sha256sum agrees with, of files alone', async () => {
  writeFileSync(join(root, 'a.deb'), 'a');
  writeFileSync(join(root, 'Setup 1.exe'), 'b');
  writeFileSync(join(root, 'builder-debug.yml'), 'c');
  mkdirSync(join(root, 'linux-unpacked'));
  expect(await writeChecksums(root)).toEqual(['Setup 1.exe', 'a.deb']);
  // The second run doesn't include the checksum file itself.
  expect(await writeChecksums(root)).toEqual(['Setup 1.exe', 'a.deb']);
  expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: root, encoding: 'utf8' })).toBe(
    'Setup 1.exe: OK\na.deb: OK\n',
  );
});
