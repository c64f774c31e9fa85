import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FindingId, factsOf, mattersTo } from '../../../shared/findings.ts';
import { jpeg, tiff, tiffWithoutSystem } from '../../deliveries/data.ts';
import { suiteFolder } from '../../temporary-folder.ts';
import { failingInputs } from '../../unit/inspect/corpus/failing-inputs.ts';
import { zipOf } from '../../unit/inspect/formats/document-files.ts';
import { glb } from '../../unit/inspect/formats/sample-files.ts';
import { cityModel, lasFile, projectedKeys } from '../../unit/inspect/formats/sample-heads.ts';
import { splitArchives } from '../../unit/inspect/formats/volume-files.ts';
import { type AssetAnswer, type FrontEnds, openFrontEnds } from './front-ends.ts';

const root = suiteFolder();
let frontEnds: FrontEnds;
beforeAll(() => {
  frontEnds = openFrontEnds();
});
afterAll(() => frontEnds.close());

type Files = Readonly<Record<string, Buffer | string>>;

const usualFiles: readonly Files[] = [
  { 'ortho.tif': tiff('ortho') },
  { 'ortho_2.tif': tiff('other'), 'ortho_2.tfw': '1\n0\n0\n-1\n500000\n5700000\n' },
  { 'scan.tif': tiffWithoutSystem() },
  { 'cloud.las': lasFile({ geoKeys: projectedKeys(25_832), classes: [2, 6] }) },
  { 'town.gml': cityModel() },
  { 'house.obj': 'mtllib house.mtl\nv 0 0 0\n', 'house.mtl': 'map_Kd wall.jpg\n', 'wall.jpg': jpeg() },
  { 'tower.glb': glb },
  { 'readme.txt': 'Flown in May.', 'report.pdf': 'x' },
  { 'roads.gpkg': 'x', 'plan.dwg': 'AC1032' },
  { 'data.zip': zipOf('a.gml', cityModel()) },
  { 'empty.las': '', 'zeros.tif': Buffer.alloc(9_000) },
  { 'half.tif': tiff('half').subarray(0, -9) },
  { 'lone.tfw': '1', noname: 'x', 'odd.dat': Buffer.alloc(100, 3) },
];
const sets: readonly Files[] = [
  ...usualFiles,
  ...failingInputs.map(({ files }) => files),
  ...splitArchives.map(({ present: presentFiles }) => presentFiles),
  { 'late.tif': tiff('late'), 'late.tif.part': 'x' },
];

/** A few sets of files, each in one of a few folders. */
const mixture = fc
  .array(
    fc.record({
      folder: fc.constantFrom('', 'a/', 'a/b/', 'c/'),
      files: fc.oneof(fc.constantFrom(...usualFiles), fc.constantFrom(...sets)),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map(
    (chosenSets): Files =>
      Object.assign(
        {},
        ...chosenSets.map(({ folder, files }) =>
          Object.fromEntries(Object.entries(files).map(([name, bytes]) => [folder + name, bytes])),
        ),
      ),
  );

let runs = 0;
/** The folder that contains only the mixture. */
async function write(files: Files): Promise<string> {
  const parent = join(root, `${++runs}`);
  for (const [name, content] of Object.entries(files)) {
    const path = join(parent, 'delivery', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return parent;
}

/** A watched folder makes one asset of several: compare findings that don't depend on the other files. */
const isOfFile = (id: FindingId) => factsOf(id).level === 'will-fail' && !factsOf(id).sourceTypes;

function sumOf(assets: readonly AssetAnswer[], counts: (id: FindingId) => boolean): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { findings } of assets)
    for (const [id, count] of Object.entries(findings))
      if (counts(id as FindingId)) sums[id] = (sums[id] ?? 0) + count;
  return sums;
}

/** Requires that check, upload and sheet agree. */
async function answersAbout(files: Files) {
  const parent = await write(files);
  const folder = join(parent, 'delivery');
  const { report, ...checkAnswer } = await frontEnds.check(folder);
  const { isDecided, ...uploadAnswer } = await frontEnds.upload(folder);
  expect(uploadAnswer).toEqual(checkAnswer);
  expect(await frontEnds.sheet(folder)).toEqual(checkAnswer);
  return { assets: checkAnswer.assets, isDecided, watched: await frontEnds.watch(parent), report };
}

const degreesOf = (assets: readonly AssetAnswer[]) => {
  const counts: Record<string, number> = {};
  for (const { degrees } of assets)
    for (const [degree, count] of Object.entries(degrees)) counts[degree] = (counts[degree] ?? 0) + count;
  return counts;
};

/** Data that isn't complete, with the findings about it. */
const incomplete: readonly (readonly [what: string, files: Files, findings: Record<string, number>])[] = [
  ...splitArchives.map(
    ({ primary, present: presentFiles }) =>
      [`${primary} without its last volume`, presentFiles, { 'missing-volumes': 1 }] as const,
  ),
  ['an archive with a gap', { 'a.7z.001': 'x', 'a.7z.003': 'x' }, { 'missing-volumes': 1 }],
  ['a file next to its download', { 'a.tif': tiff(), 'A.TIF.aria2': 'x' }, { 'unfinished-download': 1 }],
  [
    'zeros at the end',
    { 'a.hgt': Buffer.concat([Buffer.alloc(8_192, 1), Buffer.alloc(65_536)]) },
    { 'many-zeros': 1 },
  ],
];

/** The same data, complete. */
const complete: readonly Files[] = [
  ...splitArchives.map(({ present: presentFiles, next: nextVolume, last: lastVolume }) => ({
    ...presentFiles,
    [nextVolume]: lastVolume,
  })),
  { 'a.s57': 'x', 'scan.001': 'x', 'b.tif': tiff(), 'c.tif.aria2': 'x' },
];
const completenessIds = ['missing-volumes', 'unfinished-download', 'many-zeros'];

it.each(incomplete)('finds %s in all front ends', async (_what, files, expectedFindings) => {
  const { assets, watched } = await answersAbout(files);
  for (const findings of [assets[0]?.findings, watched.findings])
    expect(findings).toMatchObject(expectedFindings);
});

it.each(complete)('finds nothing incomplete in complete data', async (files) => {
  const { assets, watched, report } = await answersAbout(files);
  expect(report.result === 'clean').toBe(assets.some(({ kind }) => kind !== null));
  const ids = [...assets, watched].flatMap(({ findings }) => Object.keys(findings));
  expect(ids.filter((id) => completenessIds.includes(id))).toEqual([]);
});

it('keeps all front ends agreed on kind, grouping, findings, severity and degree of any mixture', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(mixture, async (files) => {
      const { assets, isDecided, watched, report } = await answersAbout(files);
      expect(watched.files).toBe(assets.reduce((sum, { files: count }) => sum + count, 0));
      expect(watched.degrees).toEqual(degreesOf(assets));
      const ofFiles = sumOf(assets, isOfFile);
      // Members of archives are read when the source has settled.
      for (const [id, count] of Object.entries(watched.settling))
        if (isOfFile(id as FindingId)) expect(ofFiles[id] ?? 0, id).toBeGreaterThanOrEqual(count);
      const [firstAsset] = assets;
      if (firstAsset && assets.length === 1) {
        expect(watched.kind).toBe(isDecided ? firstAsset.kind : null);
        const types = watched.kind === null ? [] : [watched.kind];
        expect(watched.findings).toEqual(sumOf(assets, (id) => mattersTo(id, types)));
      } else {
        const ids = Object.entries(watched.findings).filter(([id]) => isOfFile(id as FindingId));
        expect(Object.fromEntries(ids)).toEqual(ofFiles);
      }
      expect(report.sources).toHaveLength(assets.length);
    }),
    { numRuns: 30, interruptAfterTimeLimit: 25_000 },
  );
});
