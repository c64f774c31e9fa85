import { writeFile } from 'node:fs/promises';
import { type BrowserWindow, dialog } from 'electron';
import { say } from '../../strings/say.ts';
import type { Tilelift } from '../app.ts';
import { TileliftError } from '../errors.ts';
import { receiptsToCsv, receiptsToJson } from '../watch/ledger/receipt-export.ts';
import type { WatchService } from '../watch/model.ts';
import type { WatchRule } from '../watch/rule.ts';
import { askPerson } from './ask-person.ts';
import type { CallHandlers } from './bind.ts';
import { foldersOf, type GrantedPaths } from './granted-paths.ts';

type WatchCall = Extract<keyof CallHandlers, `watch.${string}`>;

export interface WatchParts {
  readonly tilelift: Tilelift;
  readonly window: () => BrowserWindow | undefined;
  readonly granted: GrantedPaths;
}

/** The calls about watched folders. */
export function watchHandlers(parts: WatchParts): Pick<CallHandlers, WatchCall> {
  const { tilelift, window, granted } = parts;
  const { watch } = tilelift;
  return {
    'watch.folders': async () => watch.rules(),
    'watch.pickFolder': async () => {
      const options = { title: say('dialogs.folderToWatch'), properties: ['openDirectory' as const] };
      const open = window();
      const { filePaths } = open
        ? await dialog.showOpenDialog(open, options)
        : await dialog.showOpenDialog(options);
      const [path] = filePaths;
      granted.grant(filePaths);
      return path === undefined ? null : { path, isNetworkDrive: await watch.isNetworkDrive(path) };
    },
    'watch.save': async ({ rule, takeExisting }) => {
      await askForTyped(rule, parts);
      await watch.save(rule, takeExisting);
      return watch.rules();
    },
    'watch.remove': async (id) => {
      watch.remove(id);
      return null;
    },
    'watch.setOn': async ({ id, on }) => {
      watch.setOn(id, on);
      return null;
    },
    'watch.dryRun': async (rule) => {
      await granted.check([rule.folder]);
      return watch.dryRun(rule);
    },
    'watch.sources': async (id) => watch.sources(id),
    'watch.act': async ({ id, path, action }) => {
      await watch.act(id, path, action);
      return null;
    },
    'watch.activity': async (id) => watch.activity(id),
    'watch.exportReceipts': async ({ id, format }) => {
      const options = {
        title: say('dialogs.exportReceipts'),
        defaultPath: `tilelift-receipts.${format}`,
        filters: [{ name: format.toUpperCase(), extensions: [format] }],
      };
      const open = window();
      const { filePath } = open
        ? await dialog.showSaveDialog(open, options)
        : await dialog.showSaveDialog(options);
      if (!filePath) return null;
      await writeReceipts(watch, id, format, filePath);
      return filePath;
    },
  };
}

/**
 * Folders that were typed rather than chosen could as well have been put in by a page that was taken over: the person is asked where no page can answer.
 * Throws `path-not-given` where they don't agree.
 */
async function askForTyped(rule: WatchRule, { window, granted }: WatchParts): Promise<void> {
  const typed = await granted.missing(foldersOf(rule));
  const [subject] = typed;
  if (subject === undefined) return;
  const agreed = await askPerson(window(), {
    message: say('dialogs.typedFolders', { count: typed.length }),
    detail: say('dialogs.typedFoldersDetail', { folders: typed.join('\n') }),
    yes: say('dialogs.useFolders'),
    no: say('dialogs.dontUseFolders'),
  });
  if (!agreed) throw new TileliftError('path-not-given', { subject });
  granted.grant(typed);
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
