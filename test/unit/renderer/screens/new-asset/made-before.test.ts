import { afterEach, describe, expect, it } from 'vitest';
import { speak } from '../../../../../renderer/say.ts';
import { describeMadeBefore } from '../../../../../renderer/state/new-asset/draft/made-before.ts';
import { british } from '../../../../../strings/languages.ts';

/** A Thursday. */
const now = new Date(2026, 10, 26, 9, 30).getTime();
const madeOn = (month: number, day: number, hour = 23) => ({
  assetId: 20_004,
  at: new Date(2026, month - 1, day, hour).getTime(),
});
const describeMade = (madeAsset: ReturnType<typeof madeOn>) => describeMadeBefore(madeAsset, now);

describe('describeMadeBefore()', () => {
  afterEach(() => speak(british));

  it('describeMadeBefore() names the nearest day', () => {
    expect(describeMade(madeOn(11, 26, 0))).toBe('The same data became asset 20004 today.');
    expect(describeMade(madeOn(11, 25))).toBe('The same data became asset 20004 yesterday.');
    expect(describeMade(madeOn(11, 24, 0))).toBe('The same data became asset 20004 on Tuesday.');
    expect(describeMade(madeOn(11, 20))).toBe('The same data became asset 20004 on Friday.');
    expect(describeMade(madeOn(11, 19))).toBe('The same data became asset 20004 on 19 Nov 2026.');
  });

  it('describeMadeBefore() uses the date if the upload lies in the future', () => {
    expect(describeMade(madeOn(11, 28))).toBe('The same data became asset 20004 on 28 Nov 2026.');
  });

  it('describeMadeBefore() counts calendar days across clock changes', () => {
    const monday = new Date(2026, 9, 26, 8).getTime();
    expect(describeMadeBefore(madeOn(10, 25, 1), monday)).toContain('yesterday');
    expect(describeMadeBefore(madeOn(10, 24), monday)).toContain('Saturday');
  });

  it('describeMadeBefore() lists the changes of that upload', () => {
    const noChanges = { assigned: [], worded: false, leftOut: 0, takenAlong: 0 };
    const changed = (day: number, changes: object) =>
      describeMadeBefore({ ...madeOn(11, day), changes: { ...noChanges, ...changes } }, now);
    expect(changed(23, { assigned: [25832] })).toBe(
      'The same data became asset 20004 on Monday, with EPSG:25832 assigned.',
    );
    expect(changed(26, { assigned: [25832, 25833], leftOut: 1 })).toBe(
      'The same data became asset 20004 today, with EPSG:25832 and EPSG:25833 assigned and with 1 file left out.',
    );
    expect(changed(25, { assigned: [1, 2, 3, 4] })).toBe(
      'The same data became asset 20004 yesterday, with 4 coordinate systems assigned.',
    );
    expect(changed(3, { worded: true, leftOut: 2, takenAlong: 1_000 })).toBe(
      'The same data became asset 20004 on 3 Nov 2026, with a coordinate system assigned that has no EPSG code, ' +
        'with 2 files left out and with 1,000 files included.',
    );
    speak({ language: 'de', locale: 'de-DE' });
    expect(changed(23, { assigned: [25832], leftOut: 3, takenAlong: 2 })).toBe(
      'Aus denselben Daten wurde am Montag Asset 20004, mit zugewiesenem EPSG:25832, ' +
        'mit 3 ausgelassenen Dateien und mit 2 eingeschlossenen Dateien.',
    );
    expect(changed(23, { leftOut: 1, takenAlong: 1 })).toBe(
      'Aus denselben Daten wurde am Montag Asset 20004, ' +
        'mit einer ausgelassenen Datei und mit einer eingeschlossenen Datei.',
    );
  });
});
