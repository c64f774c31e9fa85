import { describe, expect, it } from 'vitest';
import {
  foundPhrase,
  holdingBack,
  type NotedFinding,
  noted,
  notedRecord,
} from '../../../../main/watch/model/noted-findings.ts';
import { type FindingGroup, type FindingId, factsOf, findingFacts } from '../../../../shared/findings.ts';
import { inEnglish } from '../../../../strings/sayer.ts';

const ids = Object.keys(findingFacts) as FindingId[];
const one = (id: FindingId): NotedFinding => ({ id, count: 1, files: ['a.tif'] });
const group = (id: FindingId, count = 5): FindingGroup => ({
  ...{ id, count, looked: count, total: count },
  keys: Array.from({ length: count }, (_, at) => `${at}.tif`),
});

describe('noted findings', () => {
  it('holds a source for exactly the findings that will fail', () => {
    const held = holdingBack(ids.map(one), 'will-fail').map(({ id }) => id);
    expect(held).toContain('no-system-raster');
    expect(held).toEqual(ids.filter((id) => factsOf(id).level === 'will-fail'));
  });

  it('omits a missing coordinate system or height reference if the rule states one', () => {
    const groups = [group('no-system-raster'), group('cut-off')];
    const stated = '{"inputCrs":"EPSG:25832"}';
    const notedIn = (type: string, options: string) => noted(groups, [type], options).map(({ id }) => id);
    expect(notedIn('RASTER_IMAGERY', '{}')).toEqual(['no-system-raster', 'cut-off']);
    expect(notedIn('RASTER_IMAGERY', stated)).toEqual(['cut-off']);
    expect(noted([group('no-system-city')], ['CITYGML'], stated)).toHaveLength(1);
    const heights = '{"heightReference":"WGS84"}';
    expect(noted([group('no-vertical')], ['RASTER_TERRAIN'], heights)).toEqual([]);
    expect(noted([group('no-vertical')], ['POINT_CLOUD'], heights)).toHaveLength(1);
  });

  it('holds sources by the rule’s level of findings', () => {
    const found = [one('cut-off'), one('las-inverted'), one('las-no-points')];
    const heldBy = (hold: Parameters<typeof holdingBack>[1]) => holdingBack(found, hold).map(({ id }) => id);
    expect(heldBy('never')).toEqual([]);
    expect(heldBy('will-fail')).toEqual(['cut-off']);
    expect(heldBy('may-disappoint')).toEqual(['cut-off', 'las-inverted']);
  });

  it('keeps findings that matter to the source type, with up to three files', () => {
    const groups = [group('cut-off'), group('no-system-raster'), group('las-inverted')];
    expect(noted(groups, ['POINT_CLOUD'], '{}')).toEqual([
      { id: 'cut-off', count: 5, files: ['0.tif', '1.tif', '2.tif'] },
      { id: 'las-inverted', count: 5, files: ['0.tif', '1.tif', '2.tif'] },
    ]);
    expect(noted(groups, [], '{}').map(({ id }) => id)).toEqual(['cut-off']);
  });

  it('names files in the message of a finding', () => {
    const [cut] = noted([group('cut-off')], [], '{}');
    expect(cut && inEnglish.sayPhrase(foundPhrase(cut))).toBe(
      '5 files are truncated: 0.tif, 1.tif, 2.tif and 2 more.',
    );
  });

  it('restores stored findings and drops those of later versions', () => {
    const values = { systems: { list: ['EPSG:25832', 'EPSG:25833'] } };
    const kept = [{ ...one('mixed-systems'), values }, { ...one('cut-off'), id: 'of-a-later-version' }, 7];
    expect(notedRecord.parse(JSON.parse(JSON.stringify(kept)))).toEqual([kept[0]]);
  });
});
