import { isPressed, type PressedKeys } from '../../shared/shortcuts.ts';
import type { GuideState } from './guide.svelte.ts';

interface KeyPress extends PressedKeys {
  readonly target: EventTarget | null;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

const typedInto = 'input, textarea, select, [contenteditable]';

/** Opens help, shortcuts, settings or a search. Shortcuts of one letter have no effect in fields. */
export function guideByKeys(
  event: KeyPress,
  guide: Pick<GuideState, 'openHelp' | 'openSettings' | 'shortcuts' | 'palette'>,
  { isMac, hasScreens }: { readonly isMac: boolean; readonly hasScreens: boolean },
): void {
  if (event.defaultPrevented) return;
  const isTyping = event.target instanceof Element && event.target.closest(typedInto) !== null;
  if (isPressed(event, 'help', isMac)) guide.openHelp();
  else if (isPressed(event, 'shortcuts', isMac) && !isTyping) guide.shortcuts = true;
  else if (isPressed(event, 'palette', isMac) && hasScreens && !isAsking()) guide.palette = !guide.palette;
  else if (isPressed(event, 'preferences', isMac) && hasScreens && !isAsking()) guide.openSettings();
  else if (isPressed(event, 'find', isMac) && hasScreens) {
    if (!focusSearch() && !isAsking()) guide.palette = true;
  } else return;
  event.preventDefault();
}

/** Focuses the search of the open sheet or screen; false if it has none. */
function focusSearch(): boolean {
  const scope = document.querySelector('[role=dialog], [role=alertdialog]') ?? document.querySelector('main');
  const search = scope?.querySelector<HTMLInputElement>('input[type=search], input[role=combobox]');
  search?.focus();
  search?.select();
  return search != null;
}

/** An open sheet or question must keep its input. */
function isAsking(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null;
}
