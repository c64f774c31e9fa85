import type { EventEmitter } from 'node:events';
import type { Visibility, WindowVisibility } from '../../ipc/window-visibility.ts';
import { createListeners } from '../../listeners.ts';

interface SeenWindow extends Pick<EventEmitter, 'on'> {
  isDestroyed(): boolean;
  isVisible(): boolean;
  isMinimized(): boolean;
}

interface WindowSight extends WindowVisibility {
  follow(window: SeenWindow): void;
}

/** Some desktops report a restored window only by focus. */
const events = ['show', 'hide', 'minimize', 'restore', 'focus', 'closed'];

/** The visibility of the window. */
export function createWindowVisibility(): WindowSight {
  const listeners = createListeners<[]>();
  let window: SeenWindow | undefined;
  let emittedVisibility: Visibility = 'closed';
  const currentSight = (): Visibility => {
    if (!window || window.isDestroyed()) return 'closed';
    return window.isVisible() && !window.isMinimized() ? 'seen' : 'hidden';
  };
  const emitChange = () => {
    if (currentSight() === emittedVisibility) return;
    emittedVisibility = currentSight();
    listeners.emit();
  };
  return {
    state: currentSight,
    onChange: listeners.add,
    follow: (opened) => {
      window = opened;
      emitChange();
      for (const event of events) opened.on(event, emitChange);
    },
  };
}
