import { describe, expect, it } from 'vitest';
import { createPathFits } from '../../../../main/files/left-out/path-patterns.ts';
import { isMarker, isMarkerName, markerLines, markerPaths } from '../../../../main/watch/model/left-out.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const rule = (name: string) => aWatchRule({ folder: '/in', readyWhen: { kind: 'marker', name } });
const file = { path: 'a/b.tar.tif', paths: ['/in/a/b.tar.tif', '/in/a/b.tfw'], keysFrom: '/in/a' };
const folder = { path: '21/kai', paths: ['/in/21/kai'], keysFrom: '/in/21/kai' };

describe('a marker', () => {
  it('with the name in its own is beside its source', () => {
    expect(markerPaths(rule('{name}.ok'), file)).toEqual(['/in/a/b.tar.tif.ok', '/in/a/b.tar.ok']);
    expect(markerPaths(rule('_{name}'), folder)).toEqual(['/in/21/_kai']);
  });

  it('without it is in the source’s folder', () => {
    expect(markerPaths(rule('_SUCCESS'), file)).toEqual(['/in/a/_SUCCESS']);
    expect(markerPaths(rule('_SUCCESS'), folder)).toEqual(['/in/21/kai/_SUCCESS']);
  });

  it('replaces nothing that a name brings along', () => {
    const odd = { path: '$&', paths: ['/in/$&'], keysFrom: '/in/$&' };
    expect(markerPaths(rule('{name}.ok'), odd)).toEqual(['/in/$&.ok']);
  });

  it('is left out wherever it is, and nothing else is', () => {
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

  it('has a plain name other than its source’s', () => {
    expect(['{name}.ok', '_SUCCESS', 'done {name}'].every(isMarkerName)).toBe(true);
    expect(['', '{name}', '..', 'a/b', 'a\\b', '{name}{name}', '{stem}.ok'].some(isMarkerName)).toBe(false);
  });
});
