import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommandView } from '../../../preload/contract.ts';
import { shortcuts } from '../../../shared/shortcuts.ts';
import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';

/** The menu's own actions. */
export interface MenuActions {
  readonly command: (command: MenuCommandView) => void;
  readonly zoom: (direction: 'in' | 'out' | 'natural') => void;
  readonly openLicences: () => void;
  readonly openLogs: () => void;
  readonly copyDiagnostics: () => void;
  readonly quit: () => void;
}

type MenuItem = MenuItemConstructorOptions;

const separator: MenuItem = { type: 'separator' };

/** IDs of the items that need a signed-in user. */
export const commandIds: readonly MenuCommandView[] = [
  'new-asset',
  'choose-folder',
  'watch-folder',
  'uploads',
  'watch',
  'assets',
  'settings',
  'palette',
  'help',
];

/** IDs must be unique; macOS has two items for Settings. */
export const secondSettingsId = 'settings-of-app';

/** Pure. */
export function menuTemplate(platform: NodeJS.Platform, actions: MenuActions): MenuItem[] {
  const mac = platform === 'darwin';
  return [
    ...(mac ? [appMenu(actions)] : []),
    fileMenu(platform, actions),
    editMenu(mac),
    viewMenu(actions),
    mac ? { role: 'windowMenu', label: say('menu.window') } : windowMenu(),
    helpMenu(actions),
  ];
}

function appMenu(actions: MenuActions): MenuItem {
  return {
    label: 'Tilelift',
    submenu: [
      standard('about'),
      separator,
      {
        ...commandItem(actions, 'settings', say('menu.settings')),
        accelerator: 'Cmd+,',
        id: secondSettingsId,
      },
      separator,
      standard('services'),
      separator,
      standard('hide'),
      standard('hideOthers'),
      standard('unhide'),
      separator,
      { label: say('menu.quitApp'), accelerator: 'Cmd+Q', click: actions.quit },
    ],
  };
}

function fileMenu(platform: NodeJS.Platform, actions: MenuActions): MenuItem {
  const quit: MenuItem =
    platform === 'win32'
      ? { label: say('menu.exit'), click: actions.quit }
      : { label: say('menu.quit'), accelerator: 'Ctrl+Q', click: actions.quit };
  return {
    label: say('menu.file'),
    submenu: [
      commandItem(actions, 'new-asset', say('menu.newAsset')),
      commandItem(actions, 'choose-folder', say('menu.chooseFolder')),
      commandItem(actions, 'watch-folder', say('menu.watchFolder')),
      separator,
      { role: 'close', label: say('menu.closeWindow') },
      ...(platform === 'darwin' ? [] : [separator, quit]),
    ],
  };
}

function editMenu(mac: boolean): MenuItem {
  return {
    label: say('menu.edit'),
    submenu: [
      standard('undo'),
      standard('redo'),
      separator,
      standard('cut'),
      standard('copy'),
      standard('paste'),
      ...(mac ? [standard('pasteAndMatchStyle')] : []),
      standard('delete'),
      ...(mac ? [] : [separator]),
      standard('selectAll'),
    ],
  };
}

function viewMenu(actions: MenuActions): MenuItem {
  const zoomItem = (label: string, accelerator: string, direction: 'in' | 'out' | 'natural'): MenuItem => ({
    label,
    accelerator,
    click: () => actions.zoom(direction),
  });
  return {
    label: say('menu.view'),
    submenu: [
      commandItem(actions, 'uploads', say('menu.screens.uploads')),
      commandItem(actions, 'watch', say('menu.screens.watch')),
      commandItem(actions, 'assets', say('menu.screens.assets')),
      commandItem(actions, 'settings', say('menu.screens.settings')),
      separator,
      commandItem(actions, 'palette', say('menu.palette')),
      separator,
      zoomItem(say('menu.actualSize'), shortcuts['zoom-natural'], 'natural'),
      zoomItem(say('menu.zoomIn'), shortcuts['zoom-in'], 'in'),
      // The same key without Shift.
      {
        ...zoomItem(say('menu.zoomIn'), 'CmdOrCtrl+=', 'in'),
        visible: false,
        acceleratorWorksWhenHidden: true,
      },
      zoomItem(say('menu.zoomOut'), shortcuts['zoom-out'], 'out'),
      separator,
      { role: 'togglefullscreen', label: say('menu.fullScreen') },
    ],
  };
}

function windowMenu(): MenuItem {
  return { label: say('menu.window'), submenu: [standard('minimize')] };
}

function helpMenu(actions: MenuActions): MenuItem {
  return {
    role: 'help',
    label: say('menu.help'),
    submenu: [
      commandItem(actions, 'help', say('menu.helpPages')),
      // Its key is also typed in texts.
      { id: 'shortcuts', label: say('menu.shortcuts'), click: () => actions.command('shortcuts') },
      separator,
      { label: say('menu.licences'), click: actions.openLicences },
      { label: say('menu.openLogs'), click: actions.openLogs },
      { label: say('menu.copyDiagnostics'), click: actions.copyDiagnostics },
    ],
  };
}

function commandItem(
  actions: MenuActions,
  command: keyof typeof shortcuts & MenuCommandView,
  label: string,
): MenuItem {
  return { id: command, label, accelerator: shortcuts[command], click: () => actions.command(command) };
}

type StandardRole = Extract<Key, `menu.roles.${string}`> extends `menu.roles.${infer Role}` ? Role : never;

/** Electron's labels are English. */
function standard(role: StandardRole): MenuItem {
  return { role, label: say(`menu.roles.${role}`) };
}

const factors = [0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

/** Returns the same factor at either end. Pure. */
export function nextZoom(factor: number, direction: 'in' | 'out'): number {
  // Chromium returns factors with a small error.
  const slack = 0.01;
  const nextFactor =
    direction === 'in'
      ? factors.find((candidate) => candidate > factor + slack)
      : factors.findLast((candidate) => candidate < factor - slack);
  return nextFactor ?? (direction === 'in' ? 2 : 0.75);
}
