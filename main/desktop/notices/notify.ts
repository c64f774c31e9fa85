import { type App, Notification } from 'electron';

export interface NoticeAction {
  readonly text: string;
  readonly run: () => void;
}

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Default: shows the window. */
  readonly onClick?: () => void;
  /** Only on macOS and Windows. */
  readonly actions?: readonly NoticeAction[];
}

/** Shows a notification to the user. */
export type Notify = (notice: Notice) => void;

/** A menu on macOS, a row on Windows; other systems have none. */
const maxButtons: Readonly<Partial<Record<NodeJS.Platform, number>>> = { darwin: 10, win32: 5 };

/** Windows shows notifications only for known programs. */
const appId = 'org.tilelift.desktop';

/** On Linux the body is markup (Desktop Notifications Specification 1.2). */
const escapedForMarkup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Does nothing if unsupported. */
export function createNotify(app: App, show: () => void, platform = process.platform): Notify {
  if (platform === 'win32') app.setAppUserModelId(appId);
  // Garbage collection would drop their handlers.
  const visibleNotifications = new Set<Notification>();
  return ({ title, body, onClick = show, actions = [] }) => {
    if (!Notification.isSupported()) return;
    const buttons = actions.slice(0, maxButtons[platform] ?? 0);
    const notification = new Notification({
      title,
      body: platform === 'linux' ? body.replaceAll(/[&<>]/g, (sign) => escapedForMarkup[sign] ?? sign) : body,
      actions: buttons.map(({ text }) => ({ type: 'button', text })),
    });
    const forget = () => visibleNotifications.delete(notification);
    visibleNotifications.add(notification);
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
