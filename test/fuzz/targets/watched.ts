import { posix } from 'node:path';
import { pageAddress, pageFile } from '../../../main/desktop/window/page-files.ts';
import { parseMacMounts, parseMountInfo } from '../../../main/files/drive.ts';
import { checkPatterns } from '../../../main/files/left-out/check-patterns.ts';
import { createIgnore } from '../../../main/files/left-out/ignore-rules.ts';
import { createPathFits, patternsBelow } from '../../../main/files/left-out/path-patterns.ts';
import { volumeSeriesIn } from '../../../main/inspect/completeness/volumes.ts';
import { namesIn } from '../../../main/inspect/headers/file-references.ts';
import { dataSetsOf } from '../../../main/inspect/together/data-set.ts';
import { placeOf } from '../../../main/inspect/together/references.ts';
import { checkNamePattern, fillIn } from '../../../main/watch/finish/asset-name.ts';
import { receiptsToCsv } from '../../../main/watch/finish/receipt-export.ts';
import type { Receipt } from '../../../main/watch/model/model.ts';
import { Escape, outcomeOf, shapeOf, type Target } from '../target.ts';
import { ourError } from './documented.ts';

/** Files referenced by a model must be in the watched folder, wherever the model is. */
function checkNamed(names: readonly string[]): string {
  for (const name of names) {
    for (const place of ['m.obj', 'in/deep/m.obj']) {
      const leads = placeOf(name, place);
      if (leads === undefined) continue;
      const fullPath = posix.join('/watched', leads);
      if (!fullPath.startsWith('/watched/') || posix.normalize(leads) !== leads)
        throw new Escape(`${name} led to ${leads}`);
    }
  }
  return `${Math.min(names.length, 5)}`;
}

function model(extension: string, seeds: readonly string[], words: readonly string[]): Target {
  return {
    // The headers of these files have their own target.
    name: `named-by-${extension}`,
    seeds,
    words,
    run: (input) => checkNamed(namesIn(`m.${extension}`, input.length, input)),
  };
}

const models: readonly Target[] = [
  model(
    'obj',
    ['mtllib a.mtl b.mtl\r\nv 0 0 0\nmtllib my model.mtl\nMTLLIB sub\\c.MTL', 'mtllib ../../x.mtl'],
    ['mtllib ', '.mtl', ' ', '\n', '../', '\\'],
  ),
  model(
    'mtl',
    [
      'newmtl w\nmap_Kd wall.jpg\nmap_Ks -s 1 1 1 -o 0.5 0 0 tex/my wall.png\nbump -clamp on -imfchan r b.png\nmap_Ka -mm 0 1 1.jpg',
    ],
    ['map_Kd ', 'bump ', '-s ', '-o 1 1 1 ', '-mm 0 1 ', '-clamp on ', '/etc/passwd', '..\\'],
  ),
  model(
    'gltf',
    ['{"buffers":[{"uri":"m.bin"},{"uri":"data:x"}],"images":[{"uri":"tex/a%20b.png"},null]}'],
    ['"buffers":[', '"uri":"', '%2e%2e%2f', '%00', '%', '../'],
  ),
  model(
    'dae',
    ['<library_images><image><init_from>./tex/a%20b.png</init_from></image></library_images>'],
    ['<init_from>', '</library_images>', '<![CDATA[', ']]>', '<!--', '&#x2e;', '&amp;', '%2e%2e/', '>', '</'],
  ),
  model(
    'kml',
    ['<kml><Icon><href>files/a.png?x#y</href></Icon><Alias><targetHref>b.png</targetHref></Alias></kml>'],
    ['<href>', '</href>', '#', '?', '<a:href ', '/>', '../', '\\', '<![CDATA['],
  ),
  model(
    'vrt',
    ['<VRTDataset><SourceFilename relativeToVRT="1" shared="0">a/1.tif</SourceFilename></VRTDataset>'],
    ['<SourceFilename ', 'relativeToVRT="1"', ' = ', '>', '../', '/vsizip/', '&lt;'],
  ),
  model(
    '3mx',
    ['{"3mxVersion":1,"layers":[{"root":"Data/a.3mxb"}]}'],
    ['"layers":[', '"root":"', '../', '%2e'],
  ),
];

const receipt: Receipt = {
  ruleId: 'r',
  ruleName: 'Scans',
  source: 'a',
  accountId: 'me',
  assetId: 1,
  assetName: 'a',
  assetType: 'TERRAIN',
  takenAt: 0,
  uploadedAt: null,
  endedAt: 1,
  outcome: 'complete',
  error: null,
  files: [],
};

/**
 * A cell that a spreadsheet may run as a formula. Runs of spaces are matched atomically, because backtracking
 * into them takes quadratic time.
 */
const beginsFormula = /[;\t\r\n](?=( *))\1"?(?=( *))\2[=+\-@＝＋－＠]/;

const csv: Target = {
  name: 'csv-export',
  seeds: ['a.tif', '=1+1', 'a;=cmd|x', 'a\n"b",\t@c'],
  words: ['=', '+', '-', '@', ';', '\t', '\r', '\n', '"', '""', ','],
  run: (input) => {
    const key = input.toString();
    const files = [{ key, size: 1, etag: key, partSize: 8 }];
    const text = [...receiptsToCsv([{ ...receipt, source: key, assetName: key, files }])].join('');
    const formula = beginsFormula.exec(text);
    if (formula) throw new Escape(JSON.stringify(formula[0]));
    return String(text.length % 7);
  },
};

/** Patterns come from the user, paths from others. */
const patterns: Target = {
  name: 'patterns',
  seeds: [
    '*.tif\na/b.tif',
    '/a/**/b?[c-d].gml\na/x/bxc.gml',
    '!x\\ y/\nx y',
    `${'*a'.repeat(6)}\n${'a'.repeat(60)}b`,
  ],
  words: ['*', '**', '**/', '?', '[', ']', '[!', '\\', '!', '/', 'a', '\n', '[[:alpha:]]', '{', '#'],
  run: (input) => {
    const [line = '', ...furtherLines] = input.toString().slice(0, 5_000).split('\n');
    // Names and paths on disk aren't longer.
    const path = furtherLines.join('').slice(0, 1_000).replaceAll('\0', '');
    const isIgnored = createIgnore([line])(path.slice(0, 255), false);
    const outcome = outcomeOf(() => {
      checkPatterns([line.slice(0, 1_000)], 'ignore');
      const names = path
        .split('/')
        .filter((name) => name !== '')
        .map((name) => name.slice(0, 255));
      const pathFits = createPathFits([line.slice(0, 1_000)])(names.join('/'), false);
      return `${pathFits} ${patternsBelow([line.slice(0, 1_000)], names.slice(0, 3)).length > 0}`;
    }, ourError);
    return `${isIgnored} ${outcome}`;
  },
};

const names: Target = {
  name: 'names',
  seeds: [
    '{name} of {parent}, {date}\na.tif\na.tif.aux.xml\nA.PRJ',
    '{counter}\nx.obj\nx.mtl\nx.obj.aux.xml',
  ],
  words: ['{', '}', '{name}', '.aux.xml', '.tif', '.', '\n', '.ovr'],
  run: async (input) => {
    const [pattern = '', ...listing] = input.toString().split('\n');
    const filledName = outcomeOf(() => {
      checkNamePattern(pattern, 'namePattern');
      return fillIn(pattern, { name: 'n{date}', parent: 'p', path: 'q', date: 'd', counter: '001' });
    }, ourError);
    return `${filledName} ${shapeOf(dataSetsOf(namesOf(listing)))}`;
  },
};

/** A possible listing of a disk: unique names of up to 255 characters. */
function namesOf(listing: readonly string[]): readonly string[] {
  const fittingNames = listing
    .filter((name) => name !== '' && !name.includes('/'))
    .map((name) => name.slice(0, 255));
  return [...new Set(fittingNames)];
}

/** Names in one folder, chosen by its writer. */
const volumes: Target = {
  name: 'volumes',
  seeds: ['a.zip.001\na.zip.003', 'b.z01\nb.zip\nb.z9', 'c.part1.rar\nc.part003.rar', 'd.rar\nd.r00\nd.z99'],
  words: ['.zip', '.001', '.9999', '.z01', '.part', '99999.rar', '.r00', '\n', '.7z.000'],
  run: (input) => {
    const series = volumeSeriesIn(namesOf(input.toString().split('\n')));
    const fileNames = series.flatMap(({ missing, nameOf, highest }) => [...missing, nameOf(highest + 1)]);
    const leadingName = fileNames.find((name) => name.includes('/'));
    if (leadingName !== undefined) throw new Escape(leadingName);
    return `${series.length} ${Math.min(fileNames.length, 5)}`;
  },
};

const mounts: Target = {
  name: 'mounts',
  seeds: [
    '36 35 98:0 /mnt1 /mnt2\\040x rw,noatime master:1 - ext3 /dev/root rw,errors=continue',
    '//anna@server/share on /Volumes/share (smbfs, nodev, nosuid)',
  ],
  words: [' - ', ' on /', ' (', ')', '\\040', ' ', '\n'],
  run: (input) => `${shapeOf(parseMountInfo(input.toString()))} ${shapeOf(parseMacMounts(input.toString()))}`,
};

const pages: Target = {
  name: 'page-addresses',
  seeds: [
    pageAddress,
    `${pageAddress}assets/index.js`,
    `${pageAddress}../x.html`,
    `${pageAddress}%2e%2e/x.js`,
  ],
  words: ['../', '%2e%2e%2f', '%5c', '..\\', '%00', '//', '.html', '?', '#', pageAddress],
  run: (input) => {
    const path = pageFile('/app/pages', input.toString());
    if (path && (!path.file.startsWith('/app/pages/') || path.file.includes('/../')))
      throw new Escape(path.file);
    return shapeOf(path);
  },
};

export const watchedTargets: readonly Target[] = [...models, csv, patterns, names, volumes, mounts, pages];
