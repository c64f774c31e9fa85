import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { builtDeb } from '../../scripts/installer/deb-for-tests.mjs';
import { noticesName } from '../../scripts/package/notices.mjs';
import { shippingExecutable } from '../e2e/support/packaged-app.ts';
import { differenceFromDocumented, sizeBelow } from '../packed/support/documented-size.ts';
import { bundledFiles, unnoticed } from '../packed/support/unnoticed.ts';
import { readAsar } from './support/asar.ts';
import { strangers } from './support/what-runs.ts';

const archive = () => readAsar(join(dirname(shippingExecutable()), 'resources', 'app.asar'));
const deb = () => builtDeb() ?? 'no deb was made';
const say = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64_000_000 });

it('the archive of the shipping build holds what runs and nothing else: no sources, tests, maps or packages', () => {
  expect(strangers(archive().map(({ path }) => path))).toEqual([]);
});

it('the archive of the shipping build holds no script and no dependency of development in its package.json', () => {
  const manifest = archive().find(({ path }) => path === 'package.json');
  const manifestContent = JSON.parse(manifest?.bytes.toString('utf8') ?? '');
  expect(manifestContent).toMatchObject({ name: 'tilelift', main: 'out/main/index.js' });
  expect(Object.keys(manifestContent)).not.toContain('devDependencies');
  expect(Object.keys(manifestContent)).not.toContain('scripts');
  // With this name, the running program claims the scheme, and its windows belong to the menu entry.
  expect(manifestContent.desktopName).toBe('tilelift.desktop');
});

it('the archive of the shipping build is whole: every file is what the archive’s own hash says', () => {
  const files = archive();
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter(({ intact }) => !intact).map(({ path }) => path)).toEqual([]);
});

it('the archive of the shipping build has at most 15 MB for the globe, and none of it in the main window', () => {
  const globe = archive().filter(({ path }) => path.startsWith('out/globe/'));
  const size = globe.reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(size).toBeGreaterThan(1e6);
  expect(size).toBeLessThan(15e6);
  expect(bundledFiles('globe')).toContainEqual(expect.stringContaining('cesium'));
  expect(bundledFiles('renderer')).not.toContainEqual(expect.stringContaining('cesium'));
});

it('the folder of the shipping build is as large as the documentation says, however a package compresses it', () => {
  const size = sizeBelow(dirname(shippingExecutable()));
  expect(differenceFromDocumented('desktop for Linux, installed', size)).toBeLessThan(0.05);
});

it('the folder of the shipping build has the notices of every package in its bundles, and the languages of Tilelift', () => {
  const folder = dirname(shippingExecutable());
  const notices = readFileSync(join(folder, 'resources', noticesName), 'utf8');
  expect(unnoticed(notices, ['main', 'preload', 'renderer'])).toEqual([]);
  expect(readdirSync(join(folder, 'locales')).sort()).toEqual(['de.pak', 'en-GB.pak', 'en-US.pak']);
});

it('the deb holds the program in one folder, and its entry, icons and licence where they belong', () => {
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
  // Neither writable by others nor setuid: the installation adds that to the sandbox if needed.
  expect(files.filter(({ mode }) => !/^-rw[x-]r-[x-]r-[x-]$/.test(mode))).toEqual([]);
});

it('the deb asks for every package that its executable links to', () => {
  const dependencies = say('dpkg-deb', '--field', deb(), 'Depends').trim().split(/, /);
  const names = new Set(dependencies.flatMap((dependency) => dependency.split(' | ')));
  const ownLibraries = /^(libffmpeg\.so|ld-linux-.*)$/;
  const linked = [...say('readelf', '--dynamic', shippingExecutable()).matchAll(/NEEDED.*\[(.+)\]/g)]
    .map(([, library = '']) => library)
    .filter((library) => !ownLibraries.test(library));
  expect(linked.length).toBeGreaterThan(20);
  const lacking = linked.filter((library) => {
    const owners = say('dpkg-query', '--search', `*/${library}`).trim().split('\n');
    return !owners.some((line) => names.has(line.replace(/:.*/s, '')));
  });
  expect(lacking).toEqual([]);
});
