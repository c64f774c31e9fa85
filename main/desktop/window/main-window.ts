import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { EventName, Events } from '../../../preload/contract.ts';
import { speechInAddress } from '../../../strings/address.ts';
import { sendEvent } from '../../ipc/bind.ts';
import type { WindowVisibility } from '../../ipc/window-visibility.ts';
import { createListeners } from '../../listeners.ts';
import { currentSpeech } from '../../say.ts';
import type { Settings } from '../../settings.ts';
import { confined } from './guards.ts';
import { pageAddress } from './page-files.ts';
import { minSize, windowPlace } from './window-place.ts';
import { createWindowVisibility } from './window-visibility.ts';

type WindowPlace = Settings['window'];

/** It may be closed while work continues. */
export interface MainWindow {
  /** Undefined while closed. */
  current(): BrowserWindow | undefined;
  readonly visibility: WindowVisibility;
  /** Created again if closed; its page requests the current state. */
  show(): void;
  reload(): void;
  onPlace(listener: (bounds: WindowPlace) => void): void;
  /** Ignored while closed. */
  send<Name extends EventName>(name: Name, value: Events[Name]): void;
}

/** `place`: the last position. */
export function createMainWindow(outFolder: string, bounds: WindowPlace): MainWindow {
  let window: BrowserWindow | undefined;
  let lastBounds = bounds;
  const places = createListeners<[WindowPlace]>();
  const current = () => (window?.isDestroyed() ? undefined : window);
  const visibility = createWindowVisibility();
  return {
    current,
    visibility,
    show: () => {
      const openedWindow = current();
      if (openedWindow) return showWindow(openedWindow);
      const opened = openWindow(outFolder, lastBounds);
      opened.on('close', () => {
        lastBounds = { ...opened.getNormalBounds(), maximized: opened.isMaximized() };
        places.emit(lastBounds);
      });
      window = opened;
      visibility.follow(opened);
    },
    reload: () => {
      const openedWindow = current();
      if (openedWindow) showPage(openedWindow);
    },
    onPlace: (listener) => {
      places.add(listener);
    },
    send: (name, value) => {
      const openedWindow = current();
      if (openedWindow) sendEvent(openedWindow.webContents, name, value);
    },
  };
}

/** The window never flashes white. */
const backgroundColors = { light: '#f6f7f9', dark: '#12171d' };

/** Shown when its page is ready. */
function openWindow(outFolder: string, bounds: WindowPlace): BrowserWindow {
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...windowPlace(bounds, screens),
    minWidth: minSize.width,
    minHeight: minSize.height,
    title: 'Tilelift',
    ...ownIcon(outFolder),
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? backgroundColors.dark : backgroundColors.light,
    autoHideMenuBar: true,
    webPreferences: { ...confined, preload: join(outFolder, 'preload', 'index.cjs') },
  });
  if (bounds.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  showPage(window);
  return window;
}

function showPage(window: BrowserWindow): void {
  void window.loadURL(`${pageAddress}?${speechInAddress(currentSpeech())}`);
}

function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Linux knows only the icons of installed programs. */
function ownIcon(outFolder: string): { icon?: string } {
  if (process.platform !== 'linux') return {};
  return { icon: join(outFolder, '..', 'build', 'icons', '256x256.png') };
}
