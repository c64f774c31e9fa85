import { BrowserWindow, clipboard, dialog, Menu } from 'electron';
import type { AccountService } from '../../account/model/model.ts';
import { toErrorRecord } from '../../errors.ts';
import { errorAdvice, errorMessage, say } from '../../say.ts';
import type { Notify } from '../notices/notify.ts';
import type { Support } from '../support/support.ts';
import type { MainWindow } from './main-window.ts';
import { commandIds, type MenuActions, menuTemplate, nextZoom, secondSettingsId } from './menu-template.ts';
import type { PageAsks } from './page-asks.ts';

interface MenuParts {
  readonly accounts: Pick<AccountService, 'state' | 'signedOutAccounts' | 'onChange'>;
  readonly window: Pick<MainWindow, 'current'>;
  readonly pageAsks: Pick<PageAsks, 'ask'>;
  readonly support: Support;
  readonly notify: Notify;
  readonly quit: () => void;
}

/**
 * On Windows and Linux the bar is hidden until Alt. Some items need an account. Returns a function that
 * updates the language.
 */
export function setupMenu(parts: MenuParts): () => void {
  const { accounts } = parts;
  let menu = Menu.buildFromTemplate(menuTemplate(process.platform, menuActions(parts)));
  const updateEnabledItems = () => {
    // They stay open after losing the sign-in.
    const hasScreens =
      accounts.state().kind === 'signed-in' || accounts.signedOutAccounts().some(({ isLost }) => isLost);
    for (const id of [...commandIds, 'shortcuts', secondSettingsId]) {
      const item = menu.getMenuItemById(id);
      if (item) item.enabled = hasScreens;
    }
  };
  const show = () => {
    updateEnabledItems();
    Menu.setApplicationMenu(menu);
  };
  accounts.onChange(updateEnabledItems);
  show();
  return () => {
    menu = Menu.buildFromTemplate(menuTemplate(process.platform, menuActions(parts)));
    show();
  };
}

function menuActions({ window, pageAsks, support, notify, quit }: MenuParts): MenuActions {
  return {
    command: (command) => pageAsks.ask({ kind: 'menu', command }),
    zoom: (direction) => {
      // Globes have windows of their own.
      const page = (BrowserWindow.getFocusedWindow() ?? window.current())?.webContents;
      page?.setZoomFactor(direction === 'natural' ? 1 : nextZoom(page.getZoomFactor(), direction));
    },
    openLicences: () => void support.openLicences().catch(showProblem),
    openLogs: () => void support.openLogs().catch(showProblem),
    copyDiagnostics: () =>
      void support.diagnostics().then((text) => {
        clipboard.writeText(text);
        notify({ title: say('menu.diagnosticsCopied'), body: say('menu.diagnosticsDetail') });
      }, showProblem),
    quit,
  };
}

function showProblem(cause: unknown): void {
  const error = toErrorRecord(cause);
  dialog.showErrorBox(errorMessage(error), errorAdvice(error));
}
