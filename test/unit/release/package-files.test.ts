import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockWithVersion, versionOf, withVersion } from '../../../tools/release/package-files.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', '..', name), 'utf8');
const manifest = file('package.json');
const lock = file('package-lock.json');

describe('package.json', () => {
  it('has the new version, and every other character as it was', () => {
    const next = withVersion(manifest, '9.8.7');
    expect(versionOf(next)).toBe('9.8.7');
    expect(withVersion(next, versionOf(manifest))).toBe(manifest);
  });

  it('is refused without a version', () => {
    expect(() => withVersion('{\n  "name": "x"\n}\n', '1.0.0')).toThrow('not where');
    expect(() => versionOf('{}')).toThrow('no version');
  });
});

describe('package-lock.json', () => {
  it('has the new version of the project in both places, and no package in another', () => {
    const next = lockWithVersion(lock, '9.8.7');
    const [was, is] = [JSON.parse(lock), JSON.parse(next)];
    expect([is.version, is.packages[''].version]).toEqual(['9.8.7', '9.8.7']);
    expect({ ...is.packages, '': undefined }).toEqual({ ...was.packages, '': undefined });
    expect(lockWithVersion(next, was.version)).toBe(lock);
  });
});
