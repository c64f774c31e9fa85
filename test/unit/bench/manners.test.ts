import { describe, expect, it } from 'vitest';
import type { MannersFigures } from '../../../tools/bench/manners/measure-manners.ts';
import { mannersText } from '../../../tools/bench/report.ts';
import { readSettings } from '../../../tools/bench/settings.ts';
import { judge } from '../../../tools/bench/targets.ts';

const nothing = {
  ...{ largeHttps: null, largeHttp: null, largeIgnored: null, smallHttps: null, memory: null, scan: null },
  ...{ loop: null, launch: null, size: null, service: null, lines: null, million: null },
};
const figures: MannersFigures = {
  enginePercent: 1.3,
  corePercent: { seen: 5.2, tray: 3.5 },
  messagesPerSecond: 0.2,
  memoryBytes: { tray: 180e6, bare: 150e6 },
  memoryRatio: 1.2,
};

describe('the manners benchmark', () => {
  it('runs only by name, and shorter in a quick run', () => {
    expect(readSettings([])?.only).not.toContain('manners');
    expect(readSettings(['--only', 'manners'])).toMatchObject({ only: ['manners'], mannerSeconds: 60 });
    expect(readSettings(['--only', 'manners', '--quick'])?.mannerSeconds).toBe(10);
  });

  it('compares each figure with its target, except for a visible window', () => {
    const previous = judge({ ...nothing, manners: null });
    const verdicts = judge({ ...nothing, manners: figures }).slice(previous.length);
    expect(verdicts.map(({ value, met }) => [value, met])).toEqual([
      [1.3, true],
      [3.5, false],
      [0.2, true],
      [1.2, true],
    ]);
  });

  it('explains a missing measurement', () => {
    expect(mannersText('nothing is packed')).toBe('  not measured: nothing is packed');
    expect(mannersText(figures)).toContain('5.2');
  });
});
