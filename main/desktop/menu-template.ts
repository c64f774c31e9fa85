import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommandView } from '../../preload/contract.ts';

/** What the menu does besides what systems do by themselves. */
export interface MenuActions {
  readonly command: (command: MenuCommandView) => void;
  readonly zoom: (to: 'in' | 'out' | 'natural') => void;
  readonly openLogs: () => void;
  readonly copyDiagnostics: () => void;
  readonly quit: () => void;
}

type Item = MenuItemConstructorOptions;

const separator: Item = { type: 'separator' };

/** By these can items be found again that need somebody signed in. */
export const commandIds: readonly MenuCommandView[] = [
  'new-asset',
  'choose-folder',
  'watch-folder',
  'uploads',
  'watch',
  'assets',
  'settings',
];

/** Two items lead to Settings on macOS; an id is there once only. */
export const secondSettingsId = 'settings-of-app';

/** The menu as each system has it: standard items where they belong, with the system's own shortcuts. Pure. */
export function menuTemplate(platform: NodeJS.Platform, actions: MenuActions): Item[] {
  const mac = platform === 'darwin';
  return [
    ...(mac ? [appMenu(actions)] : []),
    fileMenu(platform, actions),
    editMenu(mac),
    viewMenu(actions),
    mac ? { role: 'windowMenu' } : windowMenu(),
    helpMenu(actions),
  ];
}

function appMenu(actions: MenuActions): Item {
  return {
    label: 'Tilelift',
    submenu: [
      { role: 'about' },
      separator,
      { ...commandItem(actions, 'settings', 'Settings…', 'Cmd+,'), id: secondSettingsId },
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { label: 'Quit Tilelift', accelerator: 'Cmd+Q', click: actions.quit },
    ],
  };
}

function fileMenu(platform: NodeJS.Platform, actions: MenuActions): Item {
  const quit: Item =
    platform === 'win32'
      ? { label: 'E&xit', click: actions.quit }
      : { label: '&Quit', accelerator: 'Ctrl+Q', click: actions.quit };
  return {
    label: '&File',
    submenu: [
      commandItem(actions, 'new-asset', 'New asset…', 'CmdOrCtrl+N'),
      commandItem(actions, 'choose-folder', 'Choose folder…', 'CmdOrCtrl+O'),
      commandItem(actions, 'watch-folder', 'Watch a folder…', 'CmdOrCtrl+Shift+O'),
      separator,
      { role: 'close', label: 'Close window' },
      ...(platform === 'darwin' ? [] : [separator, quit]),
    ],
  };
}

function editMenu(mac: boolean): Item {
  return {
    label: '&Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      ...(mac ? [{ role: 'pasteAndMatchStyle' } as const] : []),
      { role: 'delete' },
      ...(mac ? [] : [separator]),
      { role: 'selectAll' },
    ],
  };
}

function viewMenu(actions: MenuActions): Item {
  const zoomItem = (label: string, accelerator: string, to: 'in' | 'out' | 'natural'): Item => ({
    label,
    accelerator,
    click: () => actions.zoom(to),
  });
  return {
    label: '&View',
    submenu: [
      commandItem(actions, 'uploads', 'Uploads', 'CmdOrCtrl+1'),
      commandItem(actions, 'watch', 'Watched folders', 'CmdOrCtrl+2'),
      commandItem(actions, 'assets', 'Assets', 'CmdOrCtrl+3'),
      commandItem(actions, 'settings', 'Settings', 'CmdOrCtrl+4'),
      separator,
      zoomItem('Actual size', 'CmdOrCtrl+0', 'natural'),
      zoomItem('Zoom in', 'CmdOrCtrl+Plus', 'in'),
      // The same key without Shift.
      { ...zoomItem('Zoom in', 'CmdOrCtrl+=', 'in'), visible: false, acceleratorWorksWhenHidden: true },
      zoomItem('Zoom out', 'CmdOrCtrl+-', 'out'),
      separator,
      { role: 'togglefullscreen', label: 'Full screen' },
    ],
  };
}

function windowMenu(): Item {
  return { label: '&Window', submenu: [{ role: 'minimize' }] };
}

function helpMenu(actions: MenuActions): Item {
  return {
    role: 'help',
    label: '&Help',
    submenu: [
      { label: 'Open logs', click: actions.openLogs },
      { label: 'Copy diagnostics', click: actions.copyDiagnostics },
    ],
  };
}

function commandItem(
  actions: MenuActions,
  command: MenuCommandView,
  label: string,
  accelerator: string,
): Item {
  return { id: command, label, accelerator, click: () => actions.command(command) };
}
