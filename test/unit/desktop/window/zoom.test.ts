import { describe, expect, it } from 'vitest';
import { nextZoom } from '../../../../main/desktop/window/zoom.ts';

describe('zoom', () => {
  it('goes up to 200 % and down to 75 %, and stays there', () => {
    const up = [1];
    for (let step = 0; step < 8; step += 1) up.push(nextZoom(up.at(-1) ?? 1, 'in'));
    expect(up).toEqual([1, 1.1, 1.25, 1.5, 1.75, 2, 2, 2, 2]);
    const down = [2];
    for (let step = 0; step < 9; step += 1) down.push(nextZoom(down.at(-1) ?? 1, 'out'));
    expect(down).toEqual([2, 1.75, 1.5, 1.25, 1.1, 1, 0.9, 0.75, 0.75, 0.75]);
  });

  it('is not held back by the small error of Chromium’s measure', () => {
    expect(nextZoom(1.0999999999, 'in')).toBe(1.25);
    expect(nextZoom(1.1000000001, 'out')).toBe(1);
  });
});
