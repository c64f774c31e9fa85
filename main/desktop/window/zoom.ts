/** How large the page can be shown; 1 is its natural size. */
const factors = [0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

/** The next larger or smaller of the sizes that there are; at an end it stays. Pure. */
export function nextZoom(factor: number, direction: 'in' | 'out'): number {
  // Chromium keeps its own measure, of which a factor comes back with a small error.
  const slack = 0.01;
  const next =
    direction === 'in'
      ? factors.find((one) => one > factor + slack)
      : factors.findLast((one) => one < factor - slack);
  return next ?? (direction === 'in' ? 2 : 0.75);
}
