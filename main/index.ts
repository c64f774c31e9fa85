import { url as inspectorAddress } from 'node:inspector';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { watchForCallbacks, watchForSources } from './desktop/launch/arrivals.ts';
import { refusedSwitch } from './desktop/launch/switches.ts';
import { startDesktop } from './desktop/start-desktop.ts';
import { declareAppScheme } from './desktop/window/app-protocol.ts';
import { toTileliftError } from './errors.ts';
import { systemClock } from './outside.ts';
import { errorAdvice, errorMessage, say } from './say.ts';

const refused = refusedSwitch({
  isPackaged: app.isPackaged,
  hasSwitch: (name) => app.commandLine.hasSwitch(name),
  inspectorAddress: inspectorAddress(),
});
// Before Electron is ready nothing listens yet.
if (refused !== null) {
  process.stderr.write(
    `Tilelift does not start with --${refused}: other programs would reach your accounts by it.\n`,
  );
  process.exit(1);
}

declareAppScheme();
const callbacks = watchForCallbacks(app, process.argv);
const sources = watchForSources(app, process.argv, systemClock);

// Whoever loses the lock starts nothing: its arguments have reached the running Tilelift.
if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(() => startDesktop(app, { callbacks, sources }, join(import.meta.dirname, '..')))
    .catch((thrown) => {
      const error = toTileliftError(thrown);
      dialog.showErrorBox(say('shell.startFailed'), `${errorMessage(error)}\n\n${errorAdvice(error)}`);
      app.exit(1);
    });
} else {
  app.quit();
}
