import { describe, expect, it } from 'vitest';
import {
  type CheckedSource,
  exitCodeOf,
  linesOf,
  reportOf,
} from '../../../../main/inspect/check/check-report.ts';
import type { FindingGroup, FindingId } from '../../../../shared/findings.ts';
import { sourceTypesCalled } from '../../../../shared/kinds.ts';
import type { Seen } from '../../../../shared/source.ts';
import german from '../../../../strings/de.json' with { type: 'json' };
import { createSayer, inEnglish } from '../../../../strings/sayer.ts';

const group = (id: FindingId, count = 1): FindingGroup => ({
  ...{ id, count, looked: count, total: count },
  keys: Array.from({ length: count }, (_, at) => `${at}.tif`),
});
const completeFacts: Seen = {
  ...{ state: 'done', looked: 2, total: 2, systems: [], extent: null },
  ...{ placed: 0, degrees: [{ degree: 'read', count: 2, examples: [] }], findings: [] },
};
const source = (
  facts: Partial<Seen>,
  sourceTypes: readonly string[] = ['RASTER_IMAGERY'],
): CheckedSource => ({
  ...{ paths: ['/data/a'], files: 2, bytes: 10, kind: { from: 'files', sourceTypes } },
  seen: { ...completeFacts, ...facts },
});
const notStopped = { stopped: false };
const codeOf = (...parameters: Parameters<typeof reportOf>) => exitCodeOf(reportOf(...parameters));
const textOf = (facts: Partial<Seen>) =>
  linesOf(reportOf([source(facts)], false, notStopped), 'posix').map(({ text: phrase }) =>
    inEnglish.sayPhrase(phrase),
  );

it('a check report describes an unnamed coordinate system in both languages', () => {
  const systems = [
    { system: 'unnamed', count: 2 },
    { system: 'EPSG:25832 + unnamed', count: 1 },
  ];
  const phrases = linesOf(reportOf([source({ systems })], false, notStopped), 'posix').map(
    ({ text: phrase }) => phrase,
  );
  expect(phrases.map(inEnglish.sayPhrase)).toContain(
    'Coordinate systems: an unnamed coordinate system, EPSG:25832 + an unnamed vertical coordinate system',
  );
  const inGerman = createSayer(new Map([['de', german]]), () => ({ language: 'de', locale: 'de-DE' }));
  expect(phrases.map(inGerman.sayPhrase).join()).toContain(
    'ein unbenanntes Koordinatensystem, EPSG:25832 + ein unbenanntes Höhensystem',
  );
});

it('a check report names the choices of --options for unclear heights, if the kind has them', () => {
  const fix = { kind: 'option', option: 'heightReference' } as const;
  const foundGroups = [{ ...group('no-vertical'), fix }];
  const reportOn = (type: string) => reportOf([source({ findings: foundGroups }, [type])], false, notStopped);
  const lines = linesOf(reportOn('RASTER_TERRAIN'), 'posix').map(({ text }) => inEnglish.sayPhrase(text));
  expect(lines.slice(-3)).toEqual([
    'When you upload, add one of these:',
    '--options heightReference=MEAN_SEA_LEVEL',
    '--options heightReference=WGS84',
  ]);
  expect(reportOn('POINT_CLOUD').sources[0]?.findings[0]).not.toHaveProperty('options');
});

it('exitCodeOf() is 0 without findings or with notes only', () => {
  expect(codeOf([source({})], false, notStopped)).toBe(0);
  expect(codeOf([source({ findings: [group('mixed-systems')] })], true, notStopped)).toBe(0);
});

it('exitCodeOf() is 1 for errors, and for warnings on request', () => {
  expect(codeOf([source({ findings: [group('cut-off')] })], false, notStopped)).toBe(1);
  const disappointing = [source({ findings: [group('imagery-of-heights')] })];
  expect(codeOf(disappointing, false, notStopped)).toBe(0);
  expect(codeOf(disappointing, true, notStopped)).toBe(1);
});

it('exitCodeOf() ignores findings of other kinds of data, but none for an unknown kind', () => {
  const findings = [group('no-system-raster')];
  expect(codeOf([source({ findings })], false, notStopped)).toBe(1);
  expect(codeOf([source({ findings }, ['CITYGML'])], false, notStopped)).toBe(0);
  expect(codeOf([source({ findings }, [])], false, notStopped)).toBe(0);
  expect(codeOf([source({ findings: [group('empty')] }, [])], false, notStopped)).toBe(1);
});

it.each([
  ['its time was over', { state: 'stopped', looked: 1 }],
  ['nobody told its end', { state: 'looking' }],
  ['a file is only in the cloud', { degrees: [{ degree: 'only-in-cloud', count: 1, examples: ['a.tif'] }] }],
  ['a file can’t be read', { degrees: [{ degree: 'unreadable', count: 1, examples: ['a.tif'] }] }],
  [
    'of an archive only names were read',
    { degrees: [{ degree: 'names-only', count: 1, examples: ['a.zip'] }] },
  ],
  ['no data was recognized', { degrees: [] }],
] as const)('exitCodeOf() is 3 when %s, unless there are findings', (_what, facts) => {
  expect(codeOf([source({}), source(facts)], false, notStopped)).toBe(3);
  expect(codeOf([source({ ...facts, findings: [group('empty')] })], false, notStopped)).toBe(1);
});

it('exitCodeOf() is 3 when interrupted or a drive does not answer, and 2 for a wrong call', () => {
  expect(codeOf([source({})], false, { stopped: true })).toBe(3);
  const error = { code: 'source-stalled', subject: '/data' };
  expect(codeOf([], false, { error, isOfInput: false })).toBe(3);
  expect(codeOf([source({ findings: [group('empty')] })], false, { error, isOfInput: true })).toBe(2);
});

describe('linesOf()', () => {
  it('linesOf() names findings by severity, with a few files of each', () => {
    const text = textOf({ findings: [group('cut-off', 5), group('mixed-kinds', 0)].map(withKinds) });
    expect(text).toContain('Likely to fail');
    expect(text).toContain('5 files are truncated');
    expect(text).toContain('Files: 0.tif, 1.tif, 2.tif and 2 more');
    expect(text.indexOf('Worth knowing')).toBeGreaterThan(text.indexOf('Likely to fail'));
    expect(text.filter((line) => line.startsWith('Files:'))).toHaveLength(1);
  });

  it('linesOf() names the supported format instead of an unlisted one', () => {
    const text = textOf({
      findings: [
        { ...group('unlisted-format'), values: { endings: { list: ['.e57'] } }, keys: ['Halle 3.e57'] },
      ],
    });
    expect(text.find((line) => line.includes('E57'))).toContain('LAS and LAZ');
    expect(text).toContain("pdal translate 'Halle 3.e57' 'Halle 3.laz' --writers.las.a_srs=EPSG:CODE");
  });

  it('linesOf() reports no findings only after a complete inspection', () => {
    expect(textOf({})).toContain('No findings.');
    expect(textOf({ state: 'stopped', looked: 1 })).not.toContain('No findings.');
    const degrees = [{ degree: 'unreadable', count: 1, examples: ['a.tif'] }] as const;
    expect(textOf({ degrees }).join()).toContain('1 file couldn’t be opened or read: a.tif');
  });

  it('is incomplete if no kind is recognized and only a picture was read', () => {
    const inspected = (total: number) => source({ looked: total, total }, []);
    expect(codeOf([inspected(1)], false, notStopped)).toBe(3);
    expect(codeOf([inspected(2)], false, notStopped)).toBe(0);
  });

  it.each([
    ['end-only', 'a.e57', '1 file was only checked for completeness; its content was not read: a.e57'],
    ['names-only', 'a.zip/b.tif', '1 archive or file in an archive: only names were read: a.zip/b.tif'],
    ['no-reader', 'a.dwg', '1 file was not read, because Tilelift can’t read its format: a.dwg'],
  ] as const)('linesOf() says what was not read: %s', (degree, key, text) => {
    const lines = textOf({ degrees: [{ degree, count: 1, examples: [key] }] });
    expect(lines).toContain(text);
    expect(lines).not.toContain('No findings.');
  });
});

const withKinds = (finding: FindingGroup): FindingGroup =>
  finding.id === 'mixed-kinds' ? { ...finding, values: { kinds: { list: ['a', 'b'] } } } : finding;

it('the report of a mixed folder lists its assets, and excluded files by reason', () => {
  const checkedSources = [source({}), source({}, ['POINT_CLOUD'])];
  const leftOut = [
    { reason: 'document', files: 5, bytes: 4e6, names: ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'] },
    { reason: 'foreign', files: 1, bytes: 1e6, names: ['Halle 3.e57'] },
  ] as const;
  const report = reportOf(checkedSources, false, notStopped, leftOut);
  const text = linesOf(report, 'posix').map(({ text: phrase }) => inEnglish.sayPhrase(phrase));
  expect(text[0]).toBe('2 assets: imagery and point cloud.');
  const lastLines = text.slice(text.findIndex((line) => line.startsWith('Left out')));
  expect(lastLines.slice(0, 3).map((line) => line.replaceAll('\u00a0', ' '))).toEqual([
    'Left out: 6 files, 5.0 MB',
    'a.pdf, b.pdf, c.pdf and 2 more: documents, films and programs hold no geodata',
    'Halle 3.e57: can’t be tiled',
  ]);
  expect(lastLines.join()).toContain('pdal translate');
  expect(report).toMatchObject({ result: 'clean', leftOut });
});

it.each([
  ['RASTER_TERRAIN', ['RASTER_TERRAIN']],
  ['raster-terrain', ['RASTER_TERRAIN']],
  ['Terrain', ['RASTER_TERRAIN', 'TERRAIN_DATABASE']],
  ['imagery', ['RASTER_IMAGERY']],
  ['kml', ['KML', 'KML_FEATURES']],
  ['mesh', null],
  ['', null],
])('sourceTypesCalled() parses “%s”', (word, expected) => {
  expect(sourceTypesCalled(word)).toEqual(expected);
});

it('sourceTypesCalled() accepts an asset type for all its source types, even if one has the same name', () => {
  expect(sourceTypesCalled('3DTILES')).toEqual(expect.arrayContaining(['3DTILES', 'CITYGML', 'POINT_CLOUD']));
});
