import { describe, expect, it } from 'vitest';
import { checkNamePattern, fillIn, namePartsOf } from '../../../../main/watch/finish/asset-name.ts';

const noon = new Date(2026, 10, 3, 12).getTime();
const rule = { folder: '/srv/uav/incoming' };

describe('asset names', () => {
  it('fills a pattern with name, parent folder, date and counter', () => {
    const folder = '/srv/uav/incoming/Kai_3.old';
    const parts = namePartsOf(rule, { path: 'Kai_3.old', paths: [folder], keysFrom: folder }, noon, 11);
    expect(parts).toEqual({
      name: 'Kai_3.old',
      parent: 'incoming',
      path: 'Kai_3.old',
      date: '2026-11-03',
      counter: '012',
    });
    expect(fillIn('{parent}: {name} {date} #{counter}', parts)).toBe('incoming: Kai_3.old 2026-11-03 #012');
  });

  it('replaces control characters and direction overrides in names', () => {
    const path = 'a\nb\u001b[31m\u202ec';
    const folder = `/srv/uav/incoming/${path}`;
    expect(namePartsOf(rule, { path, paths: [folder], keysFrom: folder }, noon, 0).name).toBe(
      'a\ufffdb\ufffd[31m\ufffdc',
    );
  });

  it('removes a file’s extension but keeps a leading dot', () => {
    const name = (file: string) =>
      namePartsOf(
        rule,
        {
          path: `east/${file}`,
          paths: [`/srv/uav/incoming/east/${file}`],
          keysFrom: '/srv/uav/incoming/east',
        },
        noon,
        0,
      );
    expect(name('tile.4.laz')).toMatchObject({ name: 'tile.4', parent: 'east', path: 'east/tile.4' });
    expect(name('.laz').name).toBe('.laz');
  });

  it('uses the watched folder’s name if the whole folder is one source', () => {
    const whole = { path: '.', paths: ['/srv/uav/incoming'], keysFrom: '/srv/uav/incoming' };
    expect(namePartsOf(rule, whole, noon, 0)).toMatchObject({ name: 'incoming', parent: 'uav' });
  });

  it('leaves placeholders within names unchanged', () => {
    const parts = { name: '{date}', path: '', parent: '$&', date: 'D', counter: '001' };
    expect(fillIn('{name} {parent}', parts)).toBe('{date} $&');
  });

  it('rejects a pattern with an unknown token and names it', () => {
    expect(() => checkNamePattern('{name} {date}', 'namePattern')).not.toThrow();
    expect(() => checkNamePattern('{name} {dat}', 'namePattern')).toThrow(/\{dat\}/);
    expect(() => checkNamePattern('{}', 'namePattern')).toThrow(
      expect.objectContaining({ code: 'watch-name-invalid' }),
    );
  });
});
