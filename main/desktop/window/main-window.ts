import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { EventName, Events } from '../../../preload/contract.ts';
import { speechInAddress } from '../../../strings/address.ts';
import { sendEvent } from '../../ipc/bind.ts';
import type { Sight } from '../../ipc/sight.ts';
import { createListeners } from '../../listeners.ts';
import { currentSpeech } from '../../say.ts';
import type { Settings } from '../../settings.ts';
import { pageAddress } from './page-files.ts';
import { minSize, windowPlace } from './window-place.ts';
import { createWindowSight } from './window-sight.ts';

type WindowPlace = Settings['window'];

/** The one window, which may be closed while work continues. */
export interface MainWindow {
  /** Undefined while it is closed. */
  current(): BrowserWindow | undefined;
  readonly sight: Sight;
  /** Brings it to the person, created again where it was closed: the page then asks for what is so now. */
  show(): void;
  /** Draws the page again, where it is open: in another language. */
  reload(): void;
  /** Called with its place whenever it is closed. */
  onPlace(listener: (place: WindowPlace) => void): void;
  /** Nothing while it is closed. */
  send<Name extends EventName>(name: Name, value: Events[Name]): void;
}

/** `place`: where it was last time. */
export function createMainWindow(outFolder: string, place: WindowPlace): MainWindow {
  let window: BrowserWindow | undefined;
  let kept = place;
  const places = createListeners<[WindowPlace]>();
  const current = () => (window?.isDestroyed() ? undefined : window);
  const sight = createWindowSight();
  return {
    current,
    sight,
    show: () => {
      const open = current();
      if (open) return showWindow(open);
      const opened = openWindow(outFolder, kept);
      opened.on('close', () => {
        kept = { ...opened.getNormalBounds(), maximized: opened.isMaximized() };
        places.tell(kept);
      });
      window = opened;
      sight.follow(opened);
    },
    reload: () => {
      const open = current();
      if (open) showPage(open);
    },
    onPlace: (listener) => {
      places.add(listener);
    },
    send: (name, value) => {
      const open = current();
      if (open) sendEvent(open.webContents, name, value);
    },
  };
}

/** The grounds of the two themes, so that the window never flashes white before the page is drawn. */
const ground = { light: '#f6f7f9', dark: '#12171d' };

/** Opens the window where it was last time, shown once the page can be seen. */
function openWindow(outFolder: string, kept: WindowPlace): BrowserWindow {
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...windowPlace(kept, screens),
    minWidth: minSize.width,
    minHeight: minSize.height,
    title: 'Tilelift',
    ...ownIcon(outFolder),
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? ground.dark : ground.light,
    autoHideMenuBar: true,
    webPreferences: {
      preload: join(outFolder, 'preload', 'index.cjs'),
      contextIsolation: true,
      nodeIntegration: false,
      sandbox: true,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    },
  });
  if (kept.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  showPage(window);
  return window;
}

/** Loads the page, which learns from its address what to speak. */
function showPage(window: BrowserWindow): void {
  void window.loadURL(`${pageAddress}?${speechInAddress(currentSpeech())}`);
}

/** Brings the window to the person. */
function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Linux knows the icon of an installed program only; the other systems take it from the program itself. */
function ownIcon(outFolder: string): { icon?: string } {
  if (process.platform !== 'linux') return {};
  return { icon: join(outFolder, '..', 'build', 'icons', '256x256.png') };
}
