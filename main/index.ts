import { join } from 'node:path';
import { app, dialog } from 'electron';
import { declareAppScheme } from './desktop/app-protocol.ts';
import { watchForCallbacks } from './desktop/callbacks.ts';
import { startDesktop } from './desktop/start-desktop.ts';
import { toTileliftError } from './errors.ts';

declareAppScheme();
const callbacks = watchForCallbacks(app, process.argv);

// Whoever loses the lock starts nothing: its arguments have reached the running Tilelift.
if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(() => startDesktop(app, callbacks, join(import.meta.dirname, '..')))
    .catch((thrown) => {
      const error = toTileliftError(thrown);
      dialog.showErrorBox('Tilelift can’t start', `${error.message}\n\n${error.advice}`);
      app.exit(1);
    });
} else {
  app.quit();
}
