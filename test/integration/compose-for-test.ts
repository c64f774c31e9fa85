import { composeTilelift, type Tilelift } from '../../main/app.ts';
import { silentLog } from '../../main/log.ts';
import { systemClock } from '../../main/ports.ts';
import { settingsInMemory, testCipher } from '../unit/account/stand-ins.ts';

type ExternalParts = Parameters<typeof composeTilelift>[0];

/** Composes Tilelift without Electron, with fast polling and, by default, without a browser. */
export function composeForTest(folder: string, changes: Partial<ExternalParts> = {}): Tilelift {
  return composeTilelift({
    folder,
    clock: systemClock,
    fetch,
    openBrowser: async () => {},
    cipher: testCipher(),
    settings: settingsInMemory(),
    log: silentLog,
    uploadWorker: new URL('../../main/workers/upload-worker.ts', import.meta.url),
    scanWorker: new URL('../../main/workers/scan-worker.ts', import.meta.url),
    pollMs: 20,
    ...changes,
  });
}
