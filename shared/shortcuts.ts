/** All window shortcuts, in Electron's notation: `CmdOrCtrl` is Cmd on macOS, Ctrl elsewhere. */
export const shortcuts = {
  'new-asset': 'CmdOrCtrl+N',
  'choose-folder': 'CmdOrCtrl+O',
  'watch-folder': 'CmdOrCtrl+Shift+O',
  palette: 'CmdOrCtrl+K',
  uploads: 'CmdOrCtrl+1',
  watch: 'CmdOrCtrl+2',
  assets: 'CmdOrCtrl+3',
  settings: 'CmdOrCtrl+4',
  preferences: 'CmdOrCtrl+,',
  find: 'CmdOrCtrl+F',
  'zoom-in': 'CmdOrCtrl+Plus',
  'zoom-out': 'CmdOrCtrl+-',
  'zoom-natural': 'CmdOrCtrl+0',
  help: 'F1',
  shortcuts: '?',
} as const;

export type Shortcut = keyof typeof shortcuts;

/** Keys of the upload list in the same notation; two arrows are alternatives. */
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

/** Returns the key labels of this system: `Ctrl`, `K`; on macOS `⌘`, `K`. */
export function keysOf(shortcut: Shortcut | ListShortcut, isMac: boolean): readonly string[] {
  return everyShortcut[shortcut].split(/[+ ]/).map((key) => {
    if (key === 'Plus') return '+';
    if (isMac) return onMac[key] ?? key;
    return key === 'CmdOrCtrl' ? 'Ctrl' : key;
  });
}

/** The fields of a `KeyboardEvent` that matter here. */
export interface PressedKeys {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/**
 * Whether these keys match a shortcut. Shift is ignored for symbols, whose position depends on the layout.
 */
export function isPressed(pressed: PressedKeys, shortcut: Shortcut, isMac: boolean): boolean {
  const keys = shortcuts[shortcut].split('+');
  const lastKey = keys.at(-1) ?? '';
  const wantsMain = keys.includes('CmdOrCtrl');
  const isSign = lastKey.length === 1 && lastKey.toUpperCase() === lastKey.toLowerCase();
  return (
    pressed.key.toLowerCase() === lastKey.toLowerCase() &&
    (isMac ? pressed.metaKey : pressed.ctrlKey) === wantsMain &&
    !(isMac ? pressed.ctrlKey : pressed.metaKey) &&
    !pressed.altKey &&
    (isSign || pressed.shiftKey === keys.includes('Shift'))
  );
}
