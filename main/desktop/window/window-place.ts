/** Where the window opens. Device-independent pixels. Pure. */

/** Where the window was last; what is not known is left out. */
interface KeptPlace {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export const minSize: Size = { width: 900, height: 600 };
const defaultSize: Size = { width: 1200, height: 780 };

/** So much of the top edge must be on a screen that the window can be grasped. */
const grasp = { width: 120, height: 32 };

/**
 * Where it was and as large, as far as there is still a screen: without a place where that screen is gone, no
 * larger than the largest screen. `screens` are the areas that the system leaves to windows; none is known
 * where a computer has no screen.
 */
export function windowPlace(kept: KeptPlace, screens: readonly Area[]): Size & { x?: number; y?: number } {
  const wanted = { width: kept.width || defaultSize.width, height: kept.height || defaultSize.height };
  const { x, y } = kept;
  if (x !== undefined && y !== undefined) {
    const screen = screens.find((area) => isWithinReach({ x, y, ...wanted }, area));
    if (screen) return { x, y, ...wanted };
  }
  return fitting(wanted, screens);
}

function isWithinReach({ x, y, width }: Area, screen: Area): boolean {
  const seen = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  const below = screen.y + screen.height - y;
  return seen >= grasp.width && y >= screen.y && below >= grasp.height;
}

function fitting({ width, height }: Size, screens: readonly Area[]): Size {
  const [largest] = [...screens].sort((a, b) => b.width * b.height - a.width * a.height);
  if (!largest) return { width, height };
  return {
    width: Math.max(minSize.width, Math.min(width, largest.width)),
    height: Math.max(minSize.height, Math.min(height, largest.height)),
  };
}
