import { url as inspectorAddress } from 'node:inspector';
import { app, dialog, Menu } from 'electron';
import { toTileliftError } from '../../errors.ts';
import { systemClock } from '../../outside.ts';
import { takeEnvironment } from '../../redact.ts';
import { errorAdvice, errorMessage, say } from '../../say.ts';
import { startDesktop } from '../start-desktop.ts';
import { declareAppScheme } from '../window/app-protocol.ts';
import { watchForCallbacks, watchForSources } from './arrivals.ts';
import { refusedSwitch } from './switches.ts';

/**
 * The desktop, from its first moment: what arrives before Electron is ready is heard, and whoever loses the
 * lock starts nothing. `outFolder` holds the built preload and pages.
 */
export function launchDesktop(outFolder: string): void {
  // None of them is meant for the desktop, nor for the browser that it opens.
  takeEnvironment(process.env);
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

  // Until ours is there, Electron's would offer developer tools and a reload.
  Menu.setApplicationMenu(null);
  declareAppScheme();
  const callbacks = watchForCallbacks(app, process.argv);
  const sources = watchForSources(app, process.argv, systemClock);

  // Whoever loses the lock starts nothing: its arguments have reached the running Tilelift.
  if (app.requestSingleInstanceLock()) {
    app
      .whenReady()
      .then(() => startDesktop(app, { callbacks, sources }, outFolder))
      .catch((thrown) => {
        const error = toTileliftError(thrown);
        dialog.showErrorBox(say('shell.startFailed'), `${errorMessage(error)}\n\n${errorAdvice(error)}`);
        app.exit(1);
      });
  } else {
    app.quit();
  }
}
