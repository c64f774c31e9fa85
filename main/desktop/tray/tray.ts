import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { JobService } from '../../jobs/model.ts';
import type { Log } from '../../log.ts';
import { say } from '../../say.ts';
import type { WatchService } from '../../watch/model/model.ts';
import type { WorkWatch } from '../launch/work.ts';
import { createPauseAll, type TrayMenu, trayMenu } from './tray-menu.ts';

interface TrayParts {
  /** In build/tray. */
  readonly iconFolder: string;
  readonly work: WorkWatch;
  readonly jobs: Pick<JobService, 'act'>;
  readonly watch: Pick<WatchService, 'rules' | 'setOn'>;
  readonly show: () => void;
  readonly quit: () => void;
  readonly log: Log;
}

/** macOS colours a template. Electron finds the larger sizes. */
const icons: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macTemplate.png', win32: 'windows.png' };

/** Returns a function that updates the language. Does nothing without a tray. */
export function setupTray({ iconFolder, work, jobs, watch, show, quit, log }: TrayParts): () => void {
  const tray = openTray(join(iconFolder, icons[process.platform] ?? 'linux.png'), log);
  if (!tray) return () => {};
  const folders = createPauseAll({
    list: () =>
      watch
        .rules()
        .flatMap(({ rule: { id, on: isOn }, locked: isLocked }) => (isLocked ? [] : [{ id, isOn }])),
    setOn: watch.setOn,
  });
  const uploads = createPauseAll({
    list: () =>
      work
        .current()
        .jobs.filter(({ status, actions }) => status === 'paused' || actions.includes('pause'))
        .map(({ id, status }) => ({ id, isOn: status !== 'paused' })),
    setOn: (id, turnOn) => {
      jobs.act(id, turnOn ? 'resume' : 'pause').catch((cause: unknown) => {
        log.warn({ jobId: id, cause: String(cause) }, 'an upload could not be paused or taken up again');
      });
    },
  });
  let displayed = '';
  const update = () => {
    const menu = trayMenu(work.current());
    const text = JSON.stringify(menu);
    // Setting a menu closes it.
    if (text === displayed) return;
    displayed = text;
    tray.setToolTip(['Tilelift', ...menu.lines].join('\n'));
    tray.setContextMenu(Menu.buildFromTemplate(template(menu)));
  };
  const template = (menu: TrayMenu): MenuItemConstructorOptions[] => [
    ...menu.lines.map((label) => ({ label, enabled: false })),
    { type: 'separator' },
    { label: say('tray.open'), click: show },
    ...(menu.uploads === 'pause' ? [{ label: say('tray.pauseUploads'), click: uploads.pause }] : []),
    ...(menu.uploads === 'resume' ? [{ label: say('tray.resumeUploads'), click: uploads.resume }] : []),
    ...(menu.folders === 'pause' ? [{ label: say('tray.pauseFolders'), click: folders.pause }] : []),
    ...(menu.folders === 'resume' ? [{ label: say('tray.resumeFolders'), click: folders.resume }] : []),
    { type: 'separator' },
    { label: say('tray.quit'), click: quit },
  ];
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', show);
  work.onChange(update);
  update();
  return () => {
    displayed = '';
    update();
  };
}

function openTray(icon: string, log: Log): Tray | undefined {
  try {
    return new Tray(nativeImage.createFromPath(icon));
  } catch (cause) {
    log.warn({ cause: String(cause) }, 'there is no place for an icon in the tray');
    return undefined;
  }
}
