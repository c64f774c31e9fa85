import { join } from 'node:path';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { SettingsStore } from '../settings.ts';
import { pageAddress } from './page-files.ts';

const smallest = { width: 900, height: 600 };
const usual = { width: 1200, height: 780 };

/** The grounds of the two themes, so that the window never flashes white before the page is drawn. */
const ground = { light: '#f6f7f9', dark: '#12171d' };

/** Opens the window where it was last time, shown once the page can be seen. */
export function openWindow(outFolder: string, settings: SettingsStore): BrowserWindow {
  const kept = settings.get().window;
  const place = isOnAScreen(kept) ? { x: kept.x, y: kept.y } : {};
  const window = new BrowserWindow({
    ...usual,
    ...(kept.width && kept.height ? { width: kept.width, height: kept.height } : {}),
    ...place,
    minWidth: smallest.width,
    minHeight: smallest.height,
    title: 'Tilelift',
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
  window.on('close', () => {
    settings.update({ window: { ...window.getNormalBounds(), maximized: window.isMaximized() } });
  });
  void window.loadURL(pageAddress);
  return window;
}

/** Brings the window to the person. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function isOnAScreen(place: {
  x?: number | undefined;
  y?: number | undefined;
}): place is { x: number; y: number } {
  const { x, y } = place;
  if (x === undefined || y === undefined) return false;
  return screen.getAllDisplays().some(({ workArea }) => {
    const inside = (value: number, start: number, length: number) => value >= start && value < start + length;
    return inside(x, workArea.x, workArea.width) && inside(y, workArea.y, workArea.height);
  });
}
