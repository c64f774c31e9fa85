/** The box that an element scrolls in; the element's own parent where nothing scrolls. */
export function scrollBoxOf(element: HTMLElement): HTMLElement {
  let box = element.parentElement;
  while (box && !['auto', 'scroll'].includes(getComputedStyle(box).overflowY)) box = box.parentElement;
  return box ?? document.documentElement;
}

/** How far below the beginning of what scrolls in `box` the element lies, px. */
export function offsetWithin(box: HTMLElement, element: HTMLElement): number {
  return Math.round(element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop);
}
