import { expect, it } from 'vitest';
import { placeOf } from '../../../../main/inspect/together/references.ts';

it('placeOf() resolves names inside the folder only', () => {
  expect(placeOf('../t/a.png', 'm/x.obj')).toBe('t/a.png');
  expect(placeOf('../../a.png', 'm/x.obj')).toBe(undefined);
  expect(placeOf('../a.png', 'x.obj')).toBe(undefined);
});
