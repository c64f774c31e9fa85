import { scrollBoxOf } from '../../components/lists/long-rows.ts';

interface RowDrag {
  /** The row below the drop position; null: the end; undefined: no target. */
  readonly onTarget: (successor: string | null | undefined) => void;
  readonly drop: (successor: string | null | undefined) => void;
}

/** Distance from the list's edge that scrolls, and the step per frame, px. */
const edge = 48;
const scrollStep = 12;
/** A shorter movement is a click. */
const slack = 4;

/**
 * Follows a drag to its end. `frame` contains the rows, with `data-row` ids and `data-grip` handles. Escape
 * or a lost pointer cancels.
 */
export function followDrag(
  event: PointerEvent,
  frame: HTMLElement,
  { onTarget, drop: onDrop }: RowDrag,
): void {
  if (event.button !== 0) return;
  event.preventDefault();
  const box = scrollBoxOf(frame);
  const controller = new AbortController();
  const begunAt = event.clientY;
  let y = begunAt;
  let hasMoved = false;
  let successor: string | null | undefined;

  const updateTarget = () => {
    successor = placeAt(frame, y);
    onTarget(successor);
  };
  const scroll = () => {
    if (controller.signal.aborted) return;
    const { top, bottom } = box.getBoundingClientRect();
    const distance = y < top + edge ? -scrollStep : y > bottom - edge ? scrollStep : 0;
    if (hasMoved && distance !== 0) {
      box.scrollBy(0, distance);
      updateTarget();
    }
    requestAnimationFrame(scroll);
  };
  const end = (place: string | null | undefined) => {
    controller.abort();
    onDrop(place);
  };
  const { signal } = controller;
  window.addEventListener(
    'pointermove',
    (move) => {
      y = move.clientY;
      hasMoved ||= Math.abs(y - begunAt) > slack;
      if (hasMoved) updateTarget();
    },
    { signal },
  );
  window.addEventListener('pointerup', () => end(hasMoved ? successor : undefined), { signal });
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

/** The first queued row whose middle is below `y`, px; null after the last row. */
function placeAt(frame: HTMLElement, y: number): string | null | undefined {
  const rows = [...frame.querySelectorAll<HTMLElement>('[data-row]:has([data-grip])')]
    .map((row) => ({ id: row.dataset.row, box: row.getBoundingClientRect() }))
    .sort((a, b) => a.box.top - b.box.top);
  if (rows.length === 0) return undefined;
  return rows.find(({ box }) => y < box.top + box.height / 2)?.id ?? null;
}
