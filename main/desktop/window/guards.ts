import type { App, Session, WebPreferences } from 'electron';
import type { Log } from '../../log.ts';

/** Of every page. */
export const confined: WebPreferences = {
  contextIsolation: true,
  nodeIntegration: false,
  sandbox: true,
  webSecurity: true,
  webviewTag: false,
  spellcheck: false,
};

/** Tilelift needs none. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}

/** The guarded browser opens links. */
export function lockDownContents(app: App, log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    const refuse = (attempt: string) => (event: { preventDefault(): void }) => {
      event.preventDefault();
      log.warn({ what: attempt }, 'A page was refused what pages may not do.');
    };
    contents.on('will-navigate', refuse('navigate'));
    contents.on('will-frame-navigate', refuse('navigate a frame'));
    contents.on('will-redirect', refuse('redirect'));
    contents.on('will-attach-webview', refuse('attach a webview'));
    contents.setWindowOpenHandler(() => {
      log.warn({ what: 'open a window' }, 'A page was refused what pages may not do.');
      return { action: 'deny' };
    });
    contents.on('render-process-gone', (_gone, { reason, exitCode }) => {
      log.error({ reason, exitCode }, 'A page’s process is gone.');
    });
  });
}
