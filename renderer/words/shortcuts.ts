import type { Shortcut } from '../../shared/shortcuts.ts';
import type { Key } from '../../strings/say.ts';
import { say } from '../say.ts';

const words: Readonly<Record<Shortcut, Key>> = {
  'new-asset': 'shell.newAsset',
  'choose-folder': 'general.chooseFolder',
  'watch-folder': 'shortcuts.watchFolder',
  palette: 'palette.title',
  uploads: 'shell.uploads',
  watch: 'shell.watch',
  assets: 'shell.assets',
  settings: 'shell.settings',
  'zoom-in': 'menu.zoomIn',
  'zoom-out': 'menu.zoomOut',
  'zoom-natural': 'menu.actualSize',
  help: 'help.title',
  shortcuts: 'shortcuts.title',
};

/** What a shortcut does. */
export const shortcutWords = (shortcut: Shortcut): string => say(words[shortcut]);

interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** All shortcuts, as they are listed. */
export function shortcutGroups(): readonly ShortcutGroup[] {
  return [
    {
      title: say('palette.group.actions'),
      shortcuts: ['new-asset', 'choose-folder', 'watch-folder', 'palette'],
    },
    { title: say('palette.group.screens'), shortcuts: ['uploads', 'watch', 'assets', 'settings'] },
    { title: say('shortcuts.view'), shortcuts: ['zoom-in', 'zoom-out', 'zoom-natural'] },
    { title: say('help.title'), shortcuts: ['help', 'shortcuts'] },
  ];
}
