import { isPressed, type Pressed } from '../../shared/shortcuts.ts';
import type { GuideState } from './guide.svelte.ts';

interface KeyPress extends Pressed {
  readonly target: EventTarget | null;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

const typedInto = 'input, textarea, select, [contenteditable]';

/** Opens help, shortcuts or the palette. Keys typed into a field have no effect. */
export function guideByKeys(
  event: KeyPress,
  guide: Pick<GuideState, 'openHelp' | 'shortcuts' | 'palette'>,
  { isMac, hasScreens }: { readonly isMac: boolean; readonly hasScreens: boolean },
): void {
  if (event.defaultPrevented) return;
  const typing = event.target instanceof Element && event.target.closest(typedInto) !== null;
  if (isPressed(event, 'help', isMac)) guide.openHelp();
  else if (isPressed(event, 'shortcuts', isMac) && !typing) guide.shortcuts = true;
  else if (isPressed(event, 'palette', isMac) && hasScreens && !isAsking()) guide.palette = !guide.palette;
  else return;
  event.preventDefault();
}

/** An open sheet or question must keep its input. */
function isAsking(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null;
}
