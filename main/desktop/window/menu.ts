import { clipboard, dialog, Menu } from 'electron';
import type { AccountService } from '../../account/model.ts';
import { toErrorRecord } from '../../errors.ts';
import { errorAdvice, errorMessage, say } from '../../say.ts';
import type { Notify } from '../notices/notify.ts';
import type { Support } from '../support/support.ts';
import type { MainWindow } from './main-window.ts';
import { commandIds, type MenuActions, menuTemplate, nextZoom, secondSettingsId } from './menu-template.ts';
import type { PageAsks } from './page-asks.ts';

interface MenuParts {
  readonly accounts: Pick<AccountService, 'state' | 'signedOut' | 'onChange'>;
  readonly window: Pick<MainWindow, 'current'>;
  readonly asks: Pick<PageAsks, 'ask'>;
  readonly support: Support;
  readonly notify: Notify;
  readonly quit: () => void;
}

/**
 * The menu of the program. On Windows and Linux its bar is hidden until Alt, its shortcuts work anyway. What
 * needs an account is off while nobody is signed in. Gives the way to make it again, in another language.
 */
export function setupMenu(parts: MenuParts): () => void {
  const { accounts } = parts;
  let menu = Menu.buildFromTemplate(menuTemplate(process.platform, menuActions(parts)));
  const lookWhoIsThere = () => {
    // The window stays as it was when a sign-in is lost.
    const hasScreens =
      accounts.state().kind === 'signed-in' || accounts.signedOut().some(({ isLost }) => isLost);
    for (const id of [...commandIds, 'shortcuts', secondSettingsId]) {
      const item = menu.getMenuItemById(id);
      if (item) item.enabled = hasScreens;
    }
  };
  const show = () => {
    lookWhoIsThere();
    Menu.setApplicationMenu(menu);
  };
  accounts.onChange(lookWhoIsThere);
  show();
  return () => {
    menu = Menu.buildFromTemplate(menuTemplate(process.platform, menuActions(parts)));
    show();
  };
}

function menuActions({ window, asks, support, notify, quit }: MenuParts): MenuActions {
  return {
    command: (command) => asks.ask({ kind: 'menu', command }),
    zoom: (to) => {
      const page = window.current()?.webContents;
      page?.setZoomFactor(to === 'natural' ? 1 : nextZoom(page.getZoomFactor(), to));
    },
    openLogs: () => void support.openLogs().catch(tellProblem),
    copyDiagnostics: () =>
      void support.diagnostics().then((text) => {
        clipboard.writeText(text);
        notify({ title: say('menu.diagnosticsCopied'), body: say('menu.diagnosticsDetail') });
      }, tellProblem),
    quit,
  };
}

function tellProblem(thrown: unknown): void {
  const error = toErrorRecord(thrown);
  dialog.showErrorBox(errorMessage(error), errorAdvice(error));
}
