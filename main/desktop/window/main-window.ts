import type { BrowserWindow } from 'electron';
import type { EventName, Events } from '../../../preload/contract.ts';
import { sendEvent } from '../../ipc/bind.ts';
import type { SettingsStore } from '../../settings.ts';
import { openWindow, showPage, showWindow } from './window.ts';

/** The one window, which may be closed while work goes on. */
export interface MainWindow {
  /** Undefined while it is closed. */
  current(): BrowserWindow | undefined;
  /** Brings it to the person, made anew where it was closed: the page then asks for what is so now. */
  show(): void;
  /** Draws the page anew, where it is open: in another language. */
  reload(): void;
  /** Nothing while it is closed. */
  send<Name extends EventName>(name: Name, value: Events[Name]): void;
}

export function createMainWindow(outFolder: string, settings: SettingsStore): MainWindow {
  let window: BrowserWindow | undefined;
  const current = () => (window?.isDestroyed() ? undefined : window);
  return {
    current,
    show: () => {
      const open = current();
      if (open) showWindow(open);
      else window = openWindow(outFolder, settings);
    },
    reload: () => {
      const open = current();
      if (open) showPage(open);
    },
    send: (name, value) => {
      const open = current();
      if (open) sendEvent(open.webContents, name, value);
    },
  };
}
