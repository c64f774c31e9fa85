import type { ListShortcut, Shortcut } from '../../shared/shortcuts.ts';
import type { Key } from '../../strings/say.ts';
import { say } from '../say.ts';

const words: Readonly<Record<Shortcut | ListShortcut, Key>> = {
  'new-asset': 'shell.newAsset',
  'choose-folder': 'general.chooseFolder',
  'watch-folder': 'shortcuts.watchFolder',
  palette: 'palette.title',
  uploads: 'shell.uploads',
  watch: 'shell.watch',
  assets: 'shell.assets',
  settings: 'shell.settings',
  preferences: 'shell.settings',
  find: 'shortcuts.find',
  'zoom-in': 'menu.zoomIn',
  'zoom-out': 'menu.zoomOut',
  'zoom-natural': 'menu.actualSize',
  help: 'help.title',
  shortcuts: 'shortcuts.title',
  'list-go': 'shortcuts.list.go',
  'list-details': 'shortcuts.list.details',
  'list-controls': 'shortcuts.list.controls',
  'list-select': 'shortcuts.list.select',
  'list-extend': 'shortcuts.list.extend',
  'list-all': 'shortcuts.list.all',
  'list-move': 'shortcuts.list.move',
  'list-remove': 'shortcuts.list.remove',
  'list-undo': 'queue.bringBack',
};

export const shortcutWords = (shortcut: Shortcut | ListShortcut): string => say(words[shortcut]);

interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly (Shortcut | ListShortcut)[];
}

/** All shortcuts in the order of their list. */
export function shortcutGroups(): readonly ShortcutGroup[] {
  return [
    {
      title: say('palette.group.actions'),
      shortcuts: ['new-asset', 'choose-folder', 'watch-folder', 'palette', 'find'],
    },
    {
      title: say('palette.group.screens'),
      shortcuts: ['uploads', 'watch', 'assets', 'settings', 'preferences'],
    },
    { title: say('shortcuts.view'), shortcuts: ['zoom-in', 'zoom-out', 'zoom-natural'] },
    {
      title: say('shortcuts.list.title'),
      shortcuts: [
        'list-go',
        'list-details',
        'list-controls',
        'list-select',
        'list-extend',
        'list-all',
        'list-move',
        'list-remove',
        'list-undo',
      ],
    },
    { title: say('help.title'), shortcuts: ['help', 'shortcuts'] },
  ];
}
