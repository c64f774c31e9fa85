import { url as inspectorAddress } from 'node:inspector';
import { app, dialog, Menu } from 'electron';
import { toTileliftError } from '../errors.ts';
import { systemClock } from '../ports.ts';
import { takeEnvironment } from '../redact.ts';
import { errorAdvice, errorMessage, say } from '../say.ts';
import { watchForCallbacks, watchForSources } from './launch/arrivals.ts';
import { refusedSwitch } from './launch/switches.ts';
import { startDesktop } from './start-desktop.ts';
import { declareAppScheme } from './window/app-protocol.ts';

/** Listens before Electron is ready. `outFolder` contains the built preload and pages. */
export function launchDesktop(outFolder: string): void {
  // Keeps secrets from child processes.
  takeEnvironment(process.env);
  const refusedName = refusedSwitch({
    isPackaged: app.isPackaged,
    hasSwitch: (name) => app.commandLine.hasSwitch(name),
    inspectorAddress: inspectorAddress(),
  });
  if (refusedName !== null) {
    process.stderr.write(
      `Tilelift does not start with --${refusedName}: other programs would reach your accounts by it.\n`,
    );
    process.exit(1);
  }

  // Electron's default menu offers developer tools and reload.
  Menu.setApplicationMenu(null);
  declareAppScheme();
  const callbacks = watchForCallbacks(app, process.argv);
  const sources = watchForSources(app, process.argv, systemClock);

  // The running Tilelift has received the arguments.
  if (app.requestSingleInstanceLock()) {
    app
      .whenReady()
      .then(() => startDesktop(app, { callbacks, sources }, outFolder))
      .catch((cause) => {
        const error = toTileliftError(cause);
        dialog.showErrorBox(say('shell.startFailed'), `${errorMessage(error)}\n\n${errorAdvice(error)}`);
        app.exit(1);
      });
  } else {
    app.quit();
  }
}
