/** Least side of a target for fingers and shaky hands (WCAG 2.5.8), CSS pixels. */
const targetSide = 24;
const controls =
  'button, input, textarea, a[href], summary, [role=button], [role=checkbox], [role=combobox], [role=menuitem], [role=option], [role=radio], [role=switch]';
/** Smaller overlaps of neighbouring lines only touch, CSS pixels. */
const maxTouch = { across: 2, down: 5 };
/** Least gap between text and a control beside it, CSS pixels. */
const leastGap = 4;
/** More of a text that a control covers is no accident. */
const maxCovered = 24;

/**
 * Layout problems of the current window: overlapping, overflowing or touching text, lines that begin with a
 * separator, and small controls.
 */
export function overlappingTexts(): readonly string[] {
  const pieces = [...wordsInSight()];
  const found = [
    ...overlapping(pieces),
    ...overTheEdge(pieces),
    ...touching(pieces),
    ...leadingDots(),
    ...hardToHit(),
  ];
  return [...new Set(found)];
}

interface Piece {
  readonly words: string;
  readonly element: Element;
  /** The visible part. */
  readonly box: DOMRect;
}

/** Each visible line of text. */
function* wordsInSight(): Generator<Piece> {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    const words = node.nodeValue?.trim() ?? '';
    if (words === '' || !element?.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.bottom < 0 || line.top > innerHeight) continue;
      const box = clippedBox(line, element);
      if (box.width > maxTouch.across && box.height > maxTouch.down && isOnTop(box, element))
        yield { words: words.slice(0, 40), element, box };
    }
  }
}

/**
 * True unless something opaque covers the centre of the visible part: sheets, menus and sticky headers may
 * cover it.
 */
function isOnTop({ left, right, top, bottom }: DOMRect, element: Element): boolean {
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const stack = document.elementsFromPoint(x, y);
  const place = stack.findIndex((layer) => layer.contains(element) || element.contains(layer));
  return place >= 0 && stack.slice(0, place).every(isClear);
}

function isClear(element: Element): boolean {
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  return backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none';
}

/** The part of a box that its ancestors don't clip. */
function clippedBox(box: DOMRect, container: Element): DOMRect {
  let { left, right, top, bottom } = box;
  for (let element: Element | null = container; element; element = element.parentElement) {
    const { overflowX, overflowY, display, position } = getComputedStyle(element);
    if (display === 'inline') continue;
    const edge = element.getBoundingClientRect();
    if (overflowX !== 'visible') [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
    if (overflowY !== 'visible') [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    // Ancestors don't clip it.
    if (position === 'fixed') break;
  }
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
}

/** Controls that an ancestor cuts off and can’t scroll into view. */
export function clippedControls(): readonly string[] {
  return [...document.querySelectorAll<HTMLElement>(controls)].filter(isClipped).map((control) => {
    const { width, height } = control.getBoundingClientRect();
    return `${control.ariaLabel ?? control.innerText}: clipped, of ${Math.round(width)}×${Math.round(height)}`;
  });
}

function isClipped(control: HTMLElement): boolean {
  if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const box = control.getBoundingClientRect();
  let [canScrollAcross, canScrollDown] = [false, false];
  for (let element = control.parentElement; element; element = element.parentElement) {
    const { overflowX, overflowY, display, position } = getComputedStyle(element);
    if (display === 'inline') continue;
    const edge = element.getBoundingClientRect();
    canScrollAcross ||= ['auto', 'scroll'].includes(overflowX);
    canScrollDown ||= ['auto', 'scroll'].includes(overflowY);
    const isCutAcross = box.left < edge.left - 1 || box.right > edge.right + 1;
    const isCutDown = box.top < edge.top - 1 || box.bottom > edge.bottom + 1;
    if (!canScrollAcross && overflowX !== 'visible' && isCutAcross) return true;
    if (!canScrollDown && overflowY !== 'visible' && isCutDown) return true;
    // Ancestors don't clip it.
    if (position === 'fixed') break;
  }
  return false;
}

function isWhole(box: DOMRect, control: Element): boolean {
  const { width, height } = control.parentElement ? clippedBox(box, control.parentElement) : box;
  const isInWindow =
    box.top > 0 && box.left > 0 && box.bottom < innerHeight - 1 && box.right < innerWidth - 1;
  return isInWindow && width >= box.width && height >= box.height;
}

function* overlapping(pieces: readonly Piece[]): Generator<string> {
  const sortedPieces = [...pieces].sort((a, b) => a.box.top - b.box.top);
  for (const [index, piece] of sortedPieces.entries()) {
    for (const neighbour of sortedPieces.slice(index + 1)) {
      if (neighbour.box.top > piece.box.bottom) break;
      const left = Math.max(piece.box.left, neighbour.box.left);
      const across = Math.min(piece.box.right, neighbour.box.right) - left;
      const overlapDown = Math.min(piece.box.bottom, neighbour.box.bottom) - neighbour.box.top;
      const isSame = piece.element === neighbour.element || noticeOf(piece) !== noticeOf(neighbour);
      if (isSame || across <= maxTouch.across || overlapDown <= maxTouch.down) continue;
      const overlap = new DOMRect(left, neighbour.box.top, across, overlapDown);
      if (isOnTop(overlap, piece.element) && isOnTop(overlap, neighbour.element))
        yield `${piece.words}: over ${neighbour.words}`;
    }
  }
}

/** Notices cover other things, and can be dismissed. */
const noticeOf = ({ element }: Piece) => element.closest('[data-testid=notice]');

function* overTheEdge(pieces: readonly Piece[]): Generator<string> {
  for (const { words, box } of pieces) {
    if (box.left < -1 || box.right > innerWidth + 1) yield `${words}: over the edge of the window`;
  }
}

/** Text that nearly touches a control beside it. Controls in a sentence belong to their text. */
function* touching(pieces: readonly Piece[]): Generator<string> {
  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    if (
      !control.parentElement ||
      !control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue;
    const box = clippedBox(control.getBoundingClientRect(), control.parentElement);
    // One-pixel controls exist for forms, not for people.
    if (getComputedStyle(control).display === 'inline' || box.width <= 1 || !isOnTop(box, control)) continue;
    for (const piece of pieces) {
      if (control.contains(piece.element) || layerOf(piece.element) !== layerOf(control)) continue;
      const overlapDown = Math.min(piece.box.bottom, box.bottom) - Math.max(piece.box.top, box.top);
      const gap = Math.max(box.left - piece.box.right, piece.box.left - box.right);
      // Controls that cover a whole row contain its texts.
      const isBeside = gap > -maxCovered && gap < leastGap && overlapDown > maxTouch.down;
      if (isBeside && piece.words !== '·')
        yield `${piece.words}: touches ${control.ariaLabel ?? control.innerText}`;
    }
  }
}

const layerOf = (element: Element) =>
  element.closest('[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [data-testid=notice]');

/** Separators that begin a line; they belong to the end of the line before. */
function* leadingDots(): Generator<string> {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  /** The last letter before the node. */
  let previous: DOMRect | undefined;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.nodeValue?.trimEnd() ?? '';
    if (text.trim() === '' || !node.parentElement?.checkVisibility({ visibilityProperty: true })) continue;
    for (const { index } of text.matchAll(/·/gu)) {
      const before = text.slice(0, index).trimEnd().length - 1;
      const [dot, end] = [letterBox(node, index), before < 0 ? previous : letterBox(node, before)];
      if (end && dot.width > 0 && dot.top >= end.bottom - maxTouch.down)
        yield `${text.trim().slice(0, 40)}: a line begins with a separator`;
    }
    previous = letterBox(node, text.length - 1);
  }
}

function letterBox(text: Node, index: number): DOMRect {
  const range = document.createRange();
  range.setStart(text, index);
  range.setEnd(text, index + 1);
  return range.getBoundingClientRect();
}

/** Controls in a sentence have the height of its lines. */
function* hardToHit(): Generator<string> {
  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) continue;
    const isLarge = width >= targetSide && height >= targetSide;
    // One-pixel controls exist for forms, not for people.
    if (isLarge || width <= 1 || height <= 1 || getComputedStyle(control).display === 'inline') continue;
    const [x, y, reachPixels] = [(left + right) / 2, (top + bottom) / 2, targetSide / 2 - 1];
    const target = new DOMRect(x - reachPixels, y - reachPixels, 2 * reachPixels, 2 * reachPixels);
    // Scrolling reveals the rest.
    if (!isWhole(target, control) || !isOnTop(target, control)) continue;
    const reachBy = (dx: number, dy: number) => {
      let steps = 0;
      while (steps < targetSide && hits(control, x + dx * (steps + 1), y + dy * (steps + 1))) steps += 1;
      return steps;
    };
    if (reachBy(-1, 0) + reachBy(1, 0) < targetSide - 2 || reachBy(0, -1) + reachBy(0, 1) < targetSide - 2)
      yield `${control.ariaLabel ?? control.innerText}: ${Math.round(width)}×${Math.round(height)} to hit`;
  }
}

/** True if a press there activates the control, also through its label. */
function hits(control: HTMLElement, x: number, y: number): boolean {
  const hit = document.elementFromPoint(x, y);
  if (hit === null) return false;
  if (control.contains(hit)) return true;
  const label = hit.closest('label');
  return label !== null && (label.contains(control) || label.htmlFor === control.id);
}
