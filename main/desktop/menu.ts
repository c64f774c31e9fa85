import { clipboard, dialog, Menu } from 'electron';
import type { AccountService } from '../account/model.ts';
import { toTileliftError } from '../errors.ts';
import type { MainWindow } from './main-window.ts';
import { commandIds, menuTemplate, secondSettingsId } from './menu-template.ts';
import type { Notify } from './notify.ts';
import type { PageAsks } from './page-asks.ts';
import type { Support } from './support.ts';
import { nextZoom } from './zoom.ts';

export interface MenuParts {
  readonly accounts: Pick<AccountService, 'state' | 'onChange'>;
  readonly window: Pick<MainWindow, 'current'>;
  readonly asks: Pick<PageAsks, 'ask'>;
  readonly support: Support;
  readonly notify: Notify;
  readonly quit: () => void;
}

/** The menu of the program. On Windows and Linux its bar is hidden until Alt, its shortcuts work all the same. What needs an account is off while nobody is signed in. */
export function setupMenu({ accounts, window, asks, support, notify, quit }: MenuParts): void {
  const menu = Menu.buildFromTemplate(
    menuTemplate(process.platform, {
      command: (command) => asks.ask({ kind: 'menu', command }),
      zoom: (to) => {
        const page = window.current()?.webContents;
        page?.setZoomFactor(to === 'natural' ? 1 : nextZoom(page.getZoomFactor(), to));
      },
      openLogs: () => void support.openLogs().catch(tellProblem),
      copyDiagnostics: () =>
        void support.diagnostics().then((text) => {
          clipboard.writeText(text);
          notify({ title: 'Diagnostics copied', body: 'Paste them where somebody helps you.' });
        }, tellProblem),
      quit,
    }),
  );
  const lookWhoIsThere = () => {
    const signedIn = accounts.state().kind === 'signed-in';
    for (const id of [...commandIds, secondSettingsId]) {
      const item = menu.getMenuItemById(id);
      if (item) item.enabled = signedIn;
    }
  };
  accounts.onChange(lookWhoIsThere);
  lookWhoIsThere();
  Menu.setApplicationMenu(menu);
}

function tellProblem(thrown: unknown): void {
  const { message, advice } = toTileliftError(thrown);
  dialog.showErrorBox(message, advice);
}
