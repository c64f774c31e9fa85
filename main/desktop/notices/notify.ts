import { type App, Notification } from 'electron';

/** Something to do at once. */
export interface NoticeAction {
  readonly text: string;
  readonly run: () => void;
}

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** What a click does. Default: shows the window. */
  readonly onClick?: () => void;
  /** Offered as buttons where the system has them (macOS, Windows). */
  readonly actions?: readonly NoticeAction[];
}

/** Tells the person something in a few words, beside their other work. */
export type Notify = (notice: Notice) => void;

/** So many a system shows: macOS folds them into a menu, Windows has a row of them, others have none. */
const maxButtons: Readonly<Partial<Record<NodeJS.Platform, number>>> = { darwin: 10, win32: 5 };

/** What the packager gives as `appId`: Windows shows notifications of known programs only. */
const appId = 'org.tilelift.desktop';

/** On Linux the body is markup, the title is not (Desktop Notifications Specification 1.2). */
const escapedForMarkup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The system's notifications; a click on one shows the window.  Where there are none, nothing is said. */
export function createNotify(app: App, show: () => void, platform = process.platform): Notify {
  if (platform === 'win32') app.setAppUserModelId(appId);
  // Held, since one that is collected no longer hears its click.
  const shown = new Set<Notification>();
  return ({ title, body, onClick = show, actions = [] }) => {
    if (!Notification.isSupported()) return;
    const buttons = actions.slice(0, maxButtons[platform] ?? 0);
    const notification = new Notification({
      title,
      body: platform === 'linux' ? body.replaceAll(/[&<>]/g, (sign) => escapedForMarkup[sign] ?? sign) : body,
      actions: buttons.map(({ text }) => ({ type: 'button', text })),
    });
    const forget = () => shown.delete(notification);
    shown.add(notification);
    notification.on('close', forget);
    notification.on('failed', forget);
    notification.on('click', () => {
      forget();
      onClick();
    });
    notification.on('action', ({ actionIndex }) => {
      forget();
      buttons[actionIndex]?.run();
    });
    notification.show();
  };
}
