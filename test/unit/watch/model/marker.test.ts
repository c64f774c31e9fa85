import { describe, expect, it } from 'vitest';
import { createPathFits } from '../../../../main/files/left-out/path-patterns.ts';
import { isMarker, isMarkerName, markerLines, markerPaths } from '../../../../main/watch/model/left-out.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const rule = (name: string) => aWatchRule({ folder: '/in', readyWhen: { kind: 'marker', name } });
const file = { path: 'a/b.tar.tif', paths: ['/in/a/b.tar.tif', '/in/a/b.tfw'], keysFrom: '/in/a' };
const folder = { path: '21/kai', paths: ['/in/21/kai'], keysFrom: '/in/21/kai' };

describe('marker files', () => {
  it('searches next to the source for a marker with {name} in its pattern', () => {
    expect(markerPaths(rule('{name}.ok'), file)).toEqual(['/in/a/b.tar.tif.ok', '/in/a/b.tar.ok']);
    expect(markerPaths(rule('_{name}'), folder)).toEqual(['/in/21/_kai']);
  });

  it('searches the source’s folder for a marker with a fixed name', () => {
    expect(markerPaths(rule('_SUCCESS'), file)).toEqual(['/in/a/_SUCCESS']);
    expect(markerPaths(rule('_SUCCESS'), folder)).toEqual(['/in/21/kai/_SUCCESS']);
  });

  it('inserts source names literally into the marker’s pattern', () => {
    const odd = { path: '$&', paths: ['/in/$&'], keysFrom: '/in/$&' };
    expect(markerPaths(rule('{name}.ok'), odd)).toEqual(['/in/$&.ok']);
  });

  it('ignores markers in every folder, and no other files', () => {
    for (const [name, marker, other] of [
      ['{name}.ok', 'a/b.tif.ok', 'a/b.tif'],
      ['_SUCCESS', 'x/_SUCCESS', 'x/_SUCCESS.tif'],
      ['[x] {name}!', 'x/[x] flight!', 'x/x flight'],
    ] as const) {
      const fits = createPathFits(markerLines(rule(name)));
      expect([fits(marker, false), fits(other, false)], name).toEqual([true, false]);
      expect([isMarker(rule(name), `/in/${marker}`), isMarker(rule(name), `/in/${other}`)]).toEqual([
        true,
        false,
      ]);
    }
    expect(markerLines(aWatchRule({ folder: '/in' }))).toEqual([]);
  });

  it('accepts only plain marker names that differ from the source’s', () => {
    const isName = (name: string) => isMarkerName(name, { kind: 'entries' });
    expect(['{name}.ok', '_SUCCESS', 'done {name}'].every(isName)).toBe(true);
    expect(['', '{name}', '..', 'a/b', 'a\\b', '{name}{name}', '{stem}.ok'].some(isName)).toBe(false);
    const isNameInside = (name: string) => isMarkerName(name, { kind: 'whole-folder' });
    expect(['_ready', '{name}.ok'].map(isNameInside)).toEqual([true, false]);
  });
});
