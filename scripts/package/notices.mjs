import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectNode, root } from '../setup/packages.mjs';
import { bundleLists } from './bundled-packages.mjs';

/**
 * A package in a bundle. `folder`: below the project's folder.
 * @typedef {{ name: string, version: string, licence: string, author: string, folder: string,
 *   text: string }} Bundled
 * @typedef {'desktop' | 'command'} Part
 */

/** The notices' file name in every package. */
export const noticesName = 'THIRD-PARTY-NOTICES.txt';

/** Bundles by what ships them. @type {Record<Part, string[]>} */
const bundles = { desktop: ['main', 'preload', 'renderer', 'globe'], command: ['command'] };

/**
 * Packages in a part's bundles, by name. Throws if a licence is unknown or a bundle hasn't been built.
 * @param {Part} part
 */
export function bundledPackages(part) {
  /** @type {string[]} */
  const files = bundles[part].flatMap((name) =>
    JSON.parse(readFileSync(join(bundleLists, `${name}.json`), 'utf8')),
  );
  return [...new Set(files.map(packageOf))].map(readPackage).sort(byName);
}

/** The package's folder of a module: the last `node_modules/` counts. Pure. @param {string} file */
export function packageOf(file) {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
  if (folder === undefined) throw new Error(`${file} belongs to no package`);
  return folder;
}

/** @param {string} folder @returns {Bundled} */
function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  const ownTexts = textsIn(join(root, folder));
  const licence =
    license ?? (ownTexts.includes('Permission is hereby granted, free of charge') ? 'MIT' : undefined);
  if (typeof licence !== 'string') throw new Error(`The licence of ${name} is unknown: see ${folder}`);
  const authorName = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
  return {
    name,
    version,
    licence,
    author: authorName,
    folder,
    text: ownTexts || standardText(licence, authorName),
  };
}

/** The texts of licence and notice in a package's folder. @param {string} folder */
function textsIn(folder) {
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name));
  return names
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}

/** For packages without a text of their own. @param {string} licence @param {string} author */
function standardText(licence, author) {
  if (licence === 'MIT')
    return readFileSync(join(root, 'LICENSE'), 'utf8')
      .trim()
      .replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
  if (licence === 'Apache-2.0') return textsIn(join(root, 'node_modules', '@aws-sdk', 'client-s3'));
  throw new Error(`There is no text of the licence ${licence}`);
}

/** Chromium's and Electron's own files ship with Electron; the command's deb brings a Node. */
const runtimes = {
  desktop: () =>
    'Electron (MIT) and what it contains, such as Chromium, Node.js and V8: see LICENSE.electron.txt and LICENSES.chromium.html in this package.',
  command: () => `Node.js (MIT), in the package for Debian\n\n${nodeLicence()}`,
};

/** Node's licence is next to its program or in its package. */
function nodeLicence() {
  const folder = dirname(projectNode());
  const places = [join(folder, '..', 'LICENSE'), join(folder, 'LICENSE'), '/usr/share/doc/nodejs/LICENSE'];
  const packageLicence = join(
    root,
    'node_modules',
    'node',
    'node_modules',
    `node-${process.platform}-${process.arch}`,
    'LICENSE',
  );
  const [file] = [packageLicence, ...places].filter((path) => existsSync(path));
  if (file === undefined) throw new Error(`The licence of Node is missing beside ${projectNode()}`);
  return readFileSync(file, 'utf8').trim();
}

const epsg = `EPSG Geodetic Parameter Dataset, from PROJ's database (PROJ: MIT)

Names, areas and parameters of coordinate systems come from the EPSG Geodetic Parameter Dataset of the
International Association of Oil & Gas Producers (IOGP), which owns it. Its terms allow use and distribution
if the source is named, and it comes without warranty: https://epsg.org/terms-of-use.html
Tilelift changed it: areas are shortened, records are kept in part, and some shifts to WGS 84 are fitted.
These changes aren't EPSG's.`;

const geoNames = `GeoNames (https://www.geonames.org), under CC BY 4.0: https://creativecommons.org/licenses/by/4.0/

Names and positions of towns on maps come from GeoNames, without warranty.
Tilelift changed them: towns of less than 5,000 people and parts of towns are missing.`;

/** Data of others. @type {Record<Part, string[]>} */
const data = { desktop: [epsg, geoNames], command: [epsg] };

const line = '-'.repeat(80);

/**
 * The third-party notices of a part, with each licence text once. Reads the lists of its bundles.
 * @param {Part} part
 */
function noticesOf(part) {
  /** @type {Map<string, string[]>} */
  const byText = new Map();
  for (const { name, version, licence, text } of bundledPackages(part))
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${licence})`]);
  const sections = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  const head = 'Third-party notices\n\nTilelift contains the following software and data of others.';
  return `${[head, ...sections, runtimes[part](), ...data[part]].join(`\n\n${line}\n\n`)}\n`;
}

/** Writes a part's notices into a folder. @param {Part} part @param {string} folder */
export function writeNotices(part, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, noticesName), noticesOf(part));
}

/** @param {Bundled} a @param {Bundled} b */
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1);
