import type { Page } from 'playwright';

interface FocusMark {
  /** The marking element, or the reason for a missing mark. */
  readonly said: string;
  /** Contrast of the mark with its background, 1 to 21; 0 without a mark. */
  readonly contrast: number;
  /** Its centre is in the window and not clipped by a scroll container. */
  readonly inSight: boolean;
}

/** WCAG 2.2, 1.4.11: minimum contrast of a control's state. */
export const leastContrast = 3;

/**
 * Measures the focused element's mark: an outline of at least 2 px, or the border of a text field with a
 * ring. Null without focus. An active list item counts instead of its field; the panel marks a list's row.
 */
export function measureFocusMark(page: Page): Promise<FocusMark | null> {
  return page.evaluate(measure);
}

/** Runs in the page, so it can't use outer variables. */
function measure(): FocusMark | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const activeId = focused.getAttribute('aria-activedescendant');
  const at = (activeId && document.getElementById(activeId)) || focused;

  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const parse = (colour: string): readonly number[] => {
    if (!canvas) return [0, 0, 0, 0];
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (colour: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = colour.map((byte) => {
      const share = byte / 255;
      return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (from: Element | null): readonly number[] => {
    for (let one = from; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if ((colour[3] ?? 0) > 250) return colour;
    }
    return [255, 255, 255, 255];
  };
  const against = (mark: readonly number[], ground: readonly number[]) => {
    const share = (mark[3] ?? 0) / 255;
    const blend = ground.map((byte, at) => byte * (1 - share) + (mark[at] ?? 0) * share);
    const [light = 0, dark = 0] = [luminance(blend), luminance(ground)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };

  let best = { said: 'no mark', contrast: 0 };
  const panel = at.matches('[role=row]') ? at.querySelector('.panel') : null;
  for (const bearer of panel ? [at, panel] : [at]) {
    for (const pseudo of [null, '::before', '::after']) {
      const style = getComputedStyle(bearer, pseudo);
      const width = Number.parseFloat(style.outlineWidth);
      if (style.outlineStyle === 'none' || width < 2) continue;
      const inside = Number.parseFloat(style.outlineOffset) < 0;
      const contrast = against(parse(style.outlineColor), groundOf(inside ? bearer : bearer.parentElement));
      if (contrast > best.contrast)
        best = { said: `outline ${pseudo ?? ''} ${width} px ${style.outlineColor}`, contrast };
    }
  }
  const style = getComputedStyle(at);
  if (at.matches('input, textarea, button.field') && style.boxShadow !== 'none') {
    const contrast = against(parse(style.borderTopColor), groundOf(at.parentElement));
    if (contrast > best.contrast) best = { said: `border ${style.borderTopColor}`, contrast };
  }

  const { x, y, width, height } = at.getBoundingClientRect();
  const inSight = document.elementsFromPoint(x + width / 2, y + height / 2).includes(at);
  return { ...best, inSight };
}
