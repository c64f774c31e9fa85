import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtDeb } from '../../scripts/installer/deb-for-tests.mjs';
import { shippingExecutable } from '../e2e/support/packaged-app.ts';
import { readAsar } from './support/asar.ts';
import { strangers } from './support/what-runs.ts';

const archive = () => readAsar(join(dirname(shippingExecutable()), 'resources', 'app.asar'));
const deb = () => builtDeb() ?? 'no deb was made';
const say = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64_000_000 });

describe('archive of the shipping build', () => {
  it('contains only what runs: no sources, tests, maps or packages', () => {
    expect(strangers(archive().map(({ path }) => path))).toEqual([]);
  });

  it('contains no scripts or development dependencies in its package.json', () => {
    const manifest = archive().find(({ path }) => path === 'package.json');
    const said = JSON.parse(manifest?.bytes.toString('utf8') ?? '');
    expect(said).toMatchObject({ name: 'tilelift', main: 'out/main/index.js' });
    expect(Object.keys(said)).not.toContain('devDependencies');
    expect(Object.keys(said)).not.toContain('scripts');
    // Under this name the running program claims the scheme and its windows belong to the menu entry.
    expect(said.desktopName).toBe('tilelift.desktop');
  });

  it('matches its own hash in every file', () => {
    const files = archive();
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter(({ intact }) => !intact).map(({ path }) => path)).toEqual([]);
  });
});

describe('deb package', () => {
  it('is smaller than 130 MB', () => {
    const { size } = statSync(deb());
    process.stdout.write(`The deb has ${(size / 1e6).toFixed(1)} MB\n`);
    expect(size).toBeLessThan(130e6);
  });

  it('puts the program in one folder, and entry, icons and licence where they belong', () => {
    const places = [
      /^\.\/opt\/Tilelift\//,
      /^\.\/usr\/share\/applications\/tilelift\.desktop$/,
      /^\.\/usr\/share\/icons\/hicolor\/(\d+x\d+|scalable)\/apps\/tilelift\.(png|svg)$/,
      /^\.\/usr\/share\/doc\/tilelift\/(copyright|changelog\.gz)$/,
    ];
    const lines = say('dpkg-deb', '--contents', deb()).trim().split('\n');
    const files = lines.flatMap((line) => {
      const [mode = '', owner = '', , , , path = ''] = line.split(/\s+/);
      return mode.startsWith('d') ? [] : [{ mode, owner, path }];
    });
    expect(files.filter(({ path }) => !places.some((place) => place.test(path)))).toEqual([]);
    expect(files.filter(({ owner }) => owner !== 'root/root')).toEqual([]);
    // Neither writable by others nor with rights of root: the sandbox gets those on installation, where it
    // needs them.
    expect(files.filter(({ mode }) => !/^-rw[x-]r-[x-]r-[x-]$/.test(mode))).toEqual([]);
  });

  it('depends on every package that its executable links to', () => {
    const asked = say('dpkg-deb', '--field', deb(), 'Depends').trim().split(/, /);
    const names = new Set(asked.flatMap((one) => one.split(' | ')));
    const own = /^(libffmpeg\.so|ld-linux-.*)$/;
    const linked = [...say('readelf', '--dynamic', shippingExecutable()).matchAll(/NEEDED.*\[(.+)\]/g)]
      .map(([, library = '']) => library)
      .filter((library) => !own.test(library));
    expect(linked.length).toBeGreaterThan(20);
    const lacking = linked.filter((library) => {
      const owners = say('dpkg-query', '--search', `*/${library}`).trim().split('\n');
      return !owners.some((line) => names.has(line.replace(/:.*/s, '')));
    });
    expect(lacking).toEqual([]);
  });
});
