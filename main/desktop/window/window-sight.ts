import type { EventEmitter } from 'node:events';
import type { InSight, Sight } from '../../ipc/sight.ts';
import { createListeners } from '../../listeners.ts';

/** Of a window, what says whether it can be seen. */
interface SeenWindow extends Pick<EventEmitter, 'on'> {
  isDestroyed(): boolean;
  isVisible(): boolean;
  isMinimized(): boolean;
}

interface WindowSight extends Sight {
  /** From now on this window is meant. */
  follow(window: SeenWindow): void;
}

/** What desktops say of a window; a few tell of its return only by giving it the focus. */
const events = ['show', 'hide', 'minimize', 'restore', 'focus', 'closed'];

/** Whether the one window can be seen. */
export function createWindowSight(): WindowSight {
  const listeners = createListeners<[]>();
  let window: SeenWindow | undefined;
  let told: InSight = 'closed';
  const now = (): InSight => {
    if (!window || window.isDestroyed()) return 'closed';
    return window.isVisible() && !window.isMinimized() ? 'seen' : 'hidden';
  };
  const look = () => {
    if (now() === told) return;
    told = now();
    listeners.tell();
  };
  return {
    now,
    onChange: listeners.add,
    follow: (opened) => {
      window = opened;
      look();
      for (const event of events) opened.on(event, look);
    },
  };
}
