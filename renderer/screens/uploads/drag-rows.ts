/** Rows of the queue dragged by the pointer: where they would go, and the list scrolls along at its edges. */

import { scrollBoxOf } from '../../components/lists/long-rows.ts';

interface Drag {
  /** What is below the pointer: before which row it would go; null: behind all others; undefined: nowhere. */
  readonly over: (before: string | null | undefined) => void;
  readonly drop: (before: string | null | undefined) => void;
}

/** So near to an edge of the list it scrolls, px, and by so much for each frame. */
const edge = 48;
const scrollStep = 12;
/** A press that moves less is a click. */
const slack = 4;

/**
 * From a press to its end. `frame`: the element that holds the rows, each with its id in `data-row` and a
 * `data-grip` where it can be dragged. Escape, and a pointer that goes, drop it nowhere.
 */
export function followDrag(event: PointerEvent, frame: HTMLElement, { over, drop }: Drag): void {
  if (event.button !== 0) return;
  event.preventDefault();
  const box = scrollBoxOf(frame);
  const ending = new AbortController();
  const begunAt = event.clientY;
  let y = begunAt;
  let moved = false;
  let before: string | null | undefined;

  const look = () => {
    before = placeAt(frame, y);
    over(before);
  };
  const scroll = () => {
    if (ending.signal.aborted) return;
    const { top, bottom } = box.getBoundingClientRect();
    const by = y < top + edge ? -scrollStep : y > bottom - edge ? scrollStep : 0;
    if (moved && by !== 0) {
      box.scrollBy(0, by);
      look();
    }
    requestAnimationFrame(scroll);
  };
  const end = (place: string | null | undefined) => {
    ending.abort();
    drop(place);
  };
  const { signal } = ending;
  window.addEventListener(
    'pointermove',
    (move) => {
      y = move.clientY;
      moved ||= Math.abs(y - begunAt) > slack;
      if (moved) look();
    },
    { signal },
  );
  window.addEventListener('pointerup', () => end(moved ? before : undefined), { signal });
  window.addEventListener('pointercancel', () => end(undefined), { signal });
  window.addEventListener(
    'keydown',
    (key) => {
      if (key.key !== 'Escape') return;
      key.preventDefault();
      key.stopPropagation();
      end(undefined);
    },
    { signal, capture: true },
  );
  requestAnimationFrame(scroll);
}

/** Before the first queued row whose middle is below `y`, px; null below the last of them. */
function placeAt(frame: HTMLElement, y: number): string | null | undefined {
  const rows = [...frame.querySelectorAll<HTMLElement>('[data-row]:has([data-grip])')]
    .map((row) => ({ id: row.dataset.row, box: row.getBoundingClientRect() }))
    .sort((a, b) => a.box.top - b.box.top);
  if (rows.length === 0) return undefined;
  return rows.find(({ box }) => y < box.top + box.height / 2)?.id ?? null;
}
