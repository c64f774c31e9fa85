import { writeFile } from 'node:fs/promises';
import type { BrowserWindow } from 'electron';
import type { DryRunLooked } from '../../../shared/watch.ts';
import type { Tilelift } from '../../app.ts';
import { isOnNetwork } from '../../files/drive.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import { receiptsToCsv, receiptsToJson } from '../../watch/finish/receipt-export.ts';
import type { WatchService } from '../../watch/model/model.ts';
import { askForFolders } from '../ask-for-folders.ts';
import type { CallHandlers } from '../bind.ts';
import { chooseToOpen, chooseToSave } from '../dialogs.ts';
import { folderFields, type GrantedPaths } from '../granted-paths.ts';
import { forgetPrograms } from './program-handlers.ts';

type WatchCall = Extract<keyof CallHandlers, `watch.${string}`>;

export interface WatchParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly window: () => BrowserWindow | undefined;
  readonly granted: GrantedPaths;
  readonly notifyLooked: (dryRunProgress: DryRunLooked) => void;
}

/** Handlers for watched folders. */
export function watchHandlers(parts: WatchParts): Pick<CallHandlers, WatchCall> {
  const { tilelift, window, granted, notifyLooked } = parts;
  const { watch } = tilelift;
  let looking = new AbortController();
  const leavePrevious = () => {
    looking.abort();
    looking = new AbortController();
    return looking.signal;
  };
  return {
    'watch.folders': async () => watch.rules(),
    'watch.pickFolder': async (enteredPath) => {
      if (enteredPath !== null) {
        await watch.checkAllowed(enteredPath);
        const field = { folder: enteredPath, field: 'folder' };
        await askForFolders([field], say('dialogs.typedFoldersDetail'), parts);
        return { path: enteredPath, isNetworkDrive: await isOnNetwork(enteredPath) };
      }
      const options = { title: say('dialogs.folderToWatch'), properties: ['openDirectory' as const] };
      const filePaths = await chooseToOpen(window(), options);
      const [path] = filePaths;
      granted.grant(filePaths);
      return path === undefined ? null : { path, isNetworkDrive: await isOnNetwork(path) };
    },
    'watch.save': async ({ rule, takeExisting }) => {
      // Check first, so that the user doesn't confirm folders in vain.
      await watch.checkAllowed(rule.folder);
      await askForFolders(folderFields(rule), say('dialogs.typedFoldersDetail'), parts);
      await watch.save(rule, takeExisting);
      return watch.rules();
    },
    'watch.remove': async (id) => {
      watch.remove(id);
      forgetPrograms(parts.settings, id);
    },
    'watch.setOn': async ({ id, isOn }) => watch.setOn(id, isOn),
    'watch.dryRun': async (rule) => {
      const signal = leavePrevious();
      await granted.check([rule.folder]);
      return watch.dryRun(rule, { signal, onProgress: notifyLooked });
    },
    'watch.leaveDryRun': async () => {
      leavePrevious();
    },
    'watch.sources': async (id) => watch.sources(id),
    'watch.act': ({ id, path, action }) => watch.act(id, path, action),
    'watch.answer': ({ id, answer }) => watch.answer(id, answer),
    'watch.activity': async (id) => watch.activity(id),
    'watch.exportReceipts': async ({ id, format }) => {
      const options = {
        title: say('dialogs.exportReceipts'),
        defaultPath: `tilelift-receipts.${format}`,
        filters: [{ name: format.toUpperCase(), extensions: [format] }],
      };
      const filePath = await chooseToSave(window(), options);
      if (!filePath) return null;
      await writeReceipts(watch, id, format, filePath);
      return filePath;
    },
  };
}

async function writeReceipts(
  watch: WatchService,
  ruleId: string | null,
  format: 'csv' | 'json',
  path: string,
): Promise<void> {
  const receipts = watch.receipts(ruleId);
  await writeFile(path, format === 'csv' ? receiptsToCsv(receipts) : receiptsToJson(receipts));
}
