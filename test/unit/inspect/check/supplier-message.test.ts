import { expect, it } from 'vitest';
import { reportOf } from '../../../../main/inspect/check/check-report.ts';
import { supplierMessage } from '../../../../main/inspect/check/supplier-message.ts';
import { type FindingGroup, type FindingId, findingFacts } from '../../../../shared/findings.ts';
import { kinds } from '../../../../shared/kinds.ts';
import type { Seen } from '../../../../shared/source.ts';
import german from '../../../../strings/de.json' with { type: 'json' };
import { createSayer, inEnglish } from '../../../../strings/sayer.ts';

const inGerman = createSayer(new Map([['de', german]]), () => ({ language: 'de', locale: 'de-DE' }));

const group = (id: FindingId, ...keys: string[]): FindingGroup => ({
  ...{ id, count: keys.length, looked: 9, total: 9, keys },
});

interface MessageOptions {
  readonly remote?: string;
  readonly paths?: readonly string[];
  readonly sourceTypes?: readonly string[];
  readonly sayer?: typeof inEnglish;
}

function messageOf(
  findings: readonly FindingGroup[],
  {
    remote,
    paths = ['/home/mara/orders/Delivery 7'],
    sourceTypes = ['RASTER_IMAGERY'],
    sayer = inEnglish,
  }: MessageOptions,
): string {
  const facts: Seen = {
    ...{ state: 'done', looked: 9, total: 9, systems: [], extent: null, placed: 0 },
    ...{ degrees: [{ degree: 'read', count: 9, examples: [] }], findings },
  };
  const kind = { from: 'files', sourceTypes } as const;
  const sources = paths.map((path) => ({ paths: [path], files: 9, bytes: 10, kind, seen: facts }));
  const lines = supplierMessage(reportOf(sources, false, { stopped: false }), remote ?? null, 'posix');
  return lines.map(({ text }) => sayer.sayPhrase(text)).join('\n');
}

it('names the faulty files, what is wrong and how to fix it, without folders of this computer', () => {
  const message = messageOf([group('cut-off', 'a.tif', 'b/c.tif'), group('mixed-systems', 'd.tif')], {
    remote: 'No CRS',
  });
  expect(message).toContain('There are problems with the data you delivered: Delivery 7.');
  expect(message).toContain('a.tif, b/c.tif');
  expect(message).toContain('Export or copy the data again.');
  expect(message).toContain('The service that processes the data reports: No CRS');
  expect(message).not.toMatch(/mara|d\.tif/);
});

it('names the folder of several faulty assets only once', () => {
  const message = messageOf([group('cut-off', 'a.tif')], { paths: ['/data/Essen', '/data/Essen'] });
  expect(message).toContain('you delivered: Essen.');
});

it('the supplier message is only the service’s message if the files show nothing', () => {
  expect(messageOf([], { remote: 'No CRS' }).split('\n').filter(Boolean)).toHaveLength(3);
});

/** A rule's kind is only compared in watched folders. */
const findingIds = (Object.keys(findingFacts) as FindingId[]).filter((id) => id !== 'rule-kind');
const names = ['area', 'beside', 'content', 'inside', 'methods', 'name', 'names', 'own', 'said', 'system'];
const values = {
  ...Object.fromEntries([...names, 'value', 'why'].map((name) => [name, 'x'])),
  ...{ bands: 3, bits: 8, step: 1 },
};

it.each([
  ['English', inEnglish, /Tilelift|option|choose|\bleave|upload|asset|kind of data|\bmap\b|sheet|source/i],
  ['German', inGerman, /Tilelift|Option|wählen|lassen Sie|hochladen|hoch\b|Asset|\bArt\b|Karte|Quelle/i],
])('advises suppliers in %s without naming the controls of Tilelift', (_language, sayer, controls) => {
  const sourceTypes = kinds.map(({ sourceType }) => sourceType);
  for (const id of findingIds)
    expect(messageOf([{ ...group(id, 'a.tif'), values }], { sourceTypes, sayer })).not.toMatch(controls);
});
