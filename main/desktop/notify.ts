import { type App, Notification } from 'electron';

/** Tells the person something in a few words, beside their other work. */
export type Notify = (words: { readonly title: string; readonly body: string }) => void;

/** What the packager gives as `appId`: Windows shows notifications of known programs only. */
const appId = 'org.tilelift.desktop';

/** The system's notifications; a click on one shows the window. Where the system has none, nothing is said. */
export function createNotify(app: App, show: () => void): Notify {
  if (process.platform === 'win32') app.setAppUserModelId(appId);
  // Held, since one that is collected no longer hears its click.
  const shown = new Set<Notification>();
  return (words) => {
    if (!Notification.isSupported()) return;
    const notification = new Notification(words);
    const forget = () => shown.delete(notification);
    shown.add(notification);
    notification.on('close', forget);
    notification.on('failed', forget);
    notification.on('click', () => {
      forget();
      show();
    });
    notification.show();
  };
}
