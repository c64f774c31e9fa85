import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { Log } from '../log.ts';
import type { WatchService } from '../watch/model.ts';
import { createPauseAll } from './pause-all.ts';
import { type TrayMenu, trayMenu } from './tray-menu.ts';
import type { WorkWatch } from './work.ts';

export interface TrayParts {
  /** Where the icons lie (build/tray). */
  readonly iconFolder: string;
  readonly work: WorkWatch;
  readonly watch: Pick<WatchService, 'rules' | 'setOn'>;
  readonly show: () => void;
  readonly quit: () => void;
  readonly log: Log;
}

/** By system: macOS colours a template itself, the others show the picture as it is. Electron finds the larger ones beside them. */
const icons: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macTemplate.png', win32: 'windows.png' };

/** Tilelift's icon in the notification area, with what happens and what can be done. A system without such a place goes without. */
export function setupTray({ iconFolder, work, watch, show, quit, log }: TrayParts): void {
  const tray = openTray(join(iconFolder, icons[process.platform] ?? 'linux.png'), log);
  if (!tray) return;
  const folders = createPauseAll(watch);
  let shown = '';
  const update = () => {
    const menu = trayMenu(work.now());
    const text = JSON.stringify(menu);
    // A menu that is set anew closes under the person's hand.
    if (text === shown) return;
    shown = text;
    tray.setToolTip(['Tilelift', ...menu.lines].join('\n'));
    tray.setContextMenu(Menu.buildFromTemplate(template(menu)));
  };
  const template = (menu: TrayMenu): MenuItemConstructorOptions[] => [
    ...menu.lines.map((label) => ({ label, enabled: false })),
    { type: 'separator' },
    { label: 'Open Tilelift', click: show },
    ...(menu.folders === 'pause' ? [{ label: 'Pause watched folders', click: folders.pause }] : []),
    ...(menu.folders === 'resume' ? [{ label: 'Resume watched folders', click: folders.resume }] : []),
    { type: 'separator' },
    { label: 'Quit Tilelift', click: quit },
  ];
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', show);
  work.onChange(update);
  update();
}

function openTray(icon: string, log: Log): Tray | undefined {
  try {
    return new Tray(nativeImage.createFromPath(icon));
  } catch (cause) {
    log.warn({ cause: String(cause) }, 'there is no place for an icon in the tray');
    return undefined;
  }
}
