/** An empty window of the product's engine, for pages that are served on this computer. */
import { app, BrowserWindow } from 'electron';

// Not awaited: Electron is ready only after its main module has ended.
app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    useContentSize: true,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      backgroundThrottling: false,
    },
  });
  // The screen's own pointer may be anywhere.
  window.setIgnoreMouseEvents(true);
  return window.loadURL('about:blank');
});
