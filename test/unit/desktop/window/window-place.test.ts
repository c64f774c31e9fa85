import fc from 'fast-check';
import { expect, it } from 'vitest';
import { windowPlace } from '../../../../main/desktop/window/window-place.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const secondScreen = { x: 1440, y: 0, width: 2560, height: 1400 };
const storedBounds = { x: 1600, y: 100, width: 2000, height: 1200 };

it('windowPlace() uses the default size the first time', () => {
  expect(windowPlace({}, [laptop])).toEqual({ width: 1200, height: 780 });
});

it('windowPlace() restores the place', () =>
  expect(windowPlace(storedBounds, [laptop, secondScreen])).toEqual(storedBounds));

it('windowPlace() restores a place partly beyond an edge while it can be grasped', () => {
  const partly = { x: -700, y: 100, width: 1200, height: 780 };
  expect(windowPlace(partly, [laptop])).toEqual(partly);
  expect(windowPlace({ ...partly, x: -1150 }, [laptop])).toEqual({ width: 1200, height: 780 });
  expect(windowPlace({ ...partly, y: 890 }, [laptop])).toEqual({ width: 1200, height: 780 });
  expect(windowPlace({ ...partly, y: 0 }, [laptop])).toEqual({ width: 1200, height: 780 });
});

it('windowPlace() moves and shrinks the window when its screen is gone', () => {
  expect(windowPlace(storedBounds, [laptop])).toEqual({ width: 1440, height: 875 });
});

it('windowPlace() never returns an unusable size or a place off screen', () => {
  const place = fc.integer({ min: -4_000, max: 8_000 });
  const size = fc.integer({ min: 900, max: 6_000 });
  const area = fc.record({ x: place, y: place, width: size, height: size });
  const wantedBounds = fc.record({ x: place, y: place, width: size, height: size }, { requiredKeys: [] });
  fc.assert(
    fc.property(wantedBounds, fc.array(area, { maxLength: 4 }), (previousBounds, screens) => {
      const { x, y, width, height } = windowPlace(previousBounds, screens);
      expect(width).toBeGreaterThanOrEqual(900);
      expect(height).toBeGreaterThanOrEqual(600);
      if (x === undefined || y === undefined) return;
      const isOnScreen = screens.some(
        (screen) =>
          x < screen.x + screen.width &&
          x + width > screen.x &&
          y >= screen.y &&
          y < screen.y + screen.height,
      );
      expect(isOnScreen).toBe(true);
    }),
  );
});
