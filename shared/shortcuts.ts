/** Every shortcut of the window: the menu, the page's own keys and what lists them are made from it. */

/** As Electron writes them: `CmdOrCtrl` is Cmd on macOS, Ctrl elsewhere. */
export const shortcuts = {
  'new-asset': 'CmdOrCtrl+N',
  'choose-folder': 'CmdOrCtrl+O',
  'watch-folder': 'CmdOrCtrl+Shift+O',
  palette: 'CmdOrCtrl+K',
  uploads: 'CmdOrCtrl+1',
  watch: 'CmdOrCtrl+2',
  assets: 'CmdOrCtrl+3',
  settings: 'CmdOrCtrl+4',
  'zoom-in': 'CmdOrCtrl+Plus',
  'zoom-out': 'CmdOrCtrl+-',
  'zoom-natural': 'CmdOrCtrl+0',
  help: 'F1',
  shortcuts: '?',
} as const;

export type Shortcut = keyof typeof shortcuts;

/** The keys of the list of uploads, in the same writing; two arrows in one are either of them. */
const listShortcuts = {
  'list-go': '↑ ↓',
  'list-details': 'Enter',
  'list-controls': '→',
  'list-select': 'Space',
  'list-extend': 'Shift+↑ ↓',
  'list-all': 'CmdOrCtrl+A',
  'list-move': 'Alt+↑ ↓',
  'list-remove': 'Delete',
  'list-undo': 'CmdOrCtrl+Z',
} as const;

export type ListShortcut = keyof typeof listShortcuts;

const everyShortcut = { ...shortcuts, ...listShortcuts };
const onMac: Readonly<Record<string, string>> = { CmdOrCtrl: '⌘', Shift: '⇧', Alt: '⌥', Delete: '⌦' };

/** The keys as they are written on this system's keyboards: `Ctrl`, `K`; on macOS `⌘`, `K`. */
export function keysOf(shortcut: Shortcut | ListShortcut, isMac: boolean): readonly string[] {
  return everyShortcut[shortcut].split(/[+ ]/).map((key) => {
    if (key === 'Plus') return '+';
    if (isMac) return onMac[key] ?? key;
    return key === 'CmdOrCtrl' ? 'Ctrl' : key;
  });
}

/** As much of a pressed key as is needed to know it. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Whether these are the keys of a shortcut. Where a sign stands is the keyboard's affair, Shift too. */
export function isPressed(pressed: Pressed, shortcut: Shortcut, isMac: boolean): boolean {
  const keys = shortcuts[shortcut].split('+');
  const last = keys.at(-1) ?? '';
  const wantsMain = keys.includes('CmdOrCtrl');
  const isSign = last.length === 1 && last.toUpperCase() === last.toLowerCase();
  return (
    pressed.key.toLowerCase() === last.toLowerCase() &&
    (isMac ? pressed.metaKey : pressed.ctrlKey) === wantsMain &&
    !(isMac ? pressed.ctrlKey : pressed.metaKey) &&
    !pressed.altKey &&
    (isSign || pressed.shiftKey === keys.includes('Shift'))
  );
}
