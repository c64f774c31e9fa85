/** Device-independent pixels. Pure. */

/** The last position; unknown values are absent. */
interface KeptPlace {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

interface ScreenArea {
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

/** This part of the top edge must stay on a screen. */
const grasp = { width: 120, height: 32 };

/** Fits the largest screen if the last one is gone. `screens`: the work areas. */
export function windowPlace(
  lastBounds: KeptPlace,
  screens: readonly ScreenArea[],
): Size & { x?: number; y?: number } {
  const size = {
    width: lastBounds.width || defaultSize.width,
    height: lastBounds.height || defaultSize.height,
  };
  const { x, y } = lastBounds;
  if (x !== undefined && y !== undefined) {
    const screen = screens.find((area) => isWithinReach({ x, y, ...size }, area));
    if (screen) return { x, y, ...size };
  }
  return fitSize(size, screens);
}

function isWithinReach({ x, y, width }: ScreenArea, screen: ScreenArea): boolean {
  const visibleWidth = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  const visibleHeight = screen.y + screen.height - y;
  return visibleWidth >= grasp.width && y >= screen.y && visibleHeight >= grasp.height;
}

function fitSize({ width, height }: Size, screens: readonly ScreenArea[]): Size {
  const [largestScreen] = [...screens].sort((a, b) => b.width * b.height - a.width * a.height);
  if (!largestScreen) return { width, height };
  return {
    width: Math.max(minSize.width, Math.min(width, largestScreen.width)),
    height: Math.max(minSize.height, Math.min(height, largestScreen.height)),
  };
}
