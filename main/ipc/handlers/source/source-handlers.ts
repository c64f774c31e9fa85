import { type BrowserWindow, clipboard } from 'electron';
import type { SourceSeenView, SourceWalkedView } from '../../../../preload/contract.ts';
import { howToFor } from '../../../../shared/how-to/how-to.ts';
import type { Tilelift } from '../../../app.ts';
import { areaOfUse } from '../../../inspect/crs/area-of-use.ts';
import { loadSystems } from '../../../inspect/crs/systems.ts';
import { say } from '../../../say.ts';
import type { SettingsStore } from '../../../settings.ts';
import { readable } from '../../../watch/model/source-names.ts';
import type { CallHandlers } from '../../bind.ts';
import { chooseToOpen } from '../../dialogs.ts';
import type { GrantedPaths } from '../../granted-paths.ts';
import { asSentView } from '../../views/as-sent.ts';
import { sourceView } from '../../views/source-view.ts';
import { foldersIn } from './folders-in.ts';
import { recallChoice } from './last-choices.ts';

export interface SourceParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly granted: GrantedPaths;
  readonly window: () => BrowserWindow | undefined;
  readonly notifySeen: (view: SourceSeenView) => void;
  readonly notifyWalked: (view: SourceWalkedView) => void;
}

type SourceCall = Extract<keyof CallHandlers, `source.${string}` | 'systems.search'>;

/** Limit of search results; users can refine the text. */
const maxSystems = 20;

/**
 * Handlers for dropped data; only the latest source is inspected. `accountId`: returns the current account or
 * throws.
 */
export function sourceHandlers(
  { tilelift, settings, granted, window, notifySeen, notifyWalked }: SourceParts,
  accountId: () => string,
): Pick<CallHandlers, SourceCall> {
  const { jobs, inspector } = tilelift;
  let looking = new AbortController();
  const leavePrevious = () => {
    looking.abort();
    looking = new AbortController();
    return looking.signal;
  };
  const startScan = (
    assets: readonly { readonly group: number; readonly pieces: readonly number[] }[],
    round: number,
    signal: AbortSignal,
  ) =>
    // The page's own calls report errors.
    void inspector
      .ask('scanHeaders', assets, { signal, notify: (progress) => notifySeen({ ...progress, round }) })
      .catch(() => {});
  const madeOf = (id: string, fingerprint: string | null) =>
    (fingerprint !== null && jobs.madeOf(id, fingerprint)) || null;
  return {
    'source.pick': async (selection) => {
      const properties = [selection === 'folder' ? 'openDirectory' : 'openFile', 'multiSelections'] as const;
      const options = { title: say('dialogs.sourceData'), properties: [...properties] };
      const filePaths = await chooseToOpen(window(), options);
      granted.grant(filePaths);
      return filePaths;
    },
    // The paths were granted for the earlier upload.
    'source.recent': async (id) => {
      const { paths } = tilelift.jobs.requestOf(id);
      granted.grant(paths);
      return paths;
    },
    'source.inspect': async ({ round, correcting, included: includedPieces, ...input }) => {
      const signal = leavePrevious();
      const request = correcting === undefined ? null : jobs.requestOf(correcting);
      // The paths were granted for the earlier upload.
      if (request) granted.grant(request.paths);
      const { paths } = request ?? input;
      await granted.check(paths);
      const id = request?.accountId ?? accountId();
      const sentChanges = request ? (request.changes ?? null) : undefined;
      const {
        kept: keptPieces,
        fingerprint,
        fingerprints,
        asSent,
        ...guess
      } = await inspector.ask(
        'show',
        { ...{ paths, sent: sentChanges, included: includedPieces }, exclude: request?.exactly?.gitignore },
        { notify: (walkResults) => signal.aborted || notifyWalked({ round, ...walkResults }) },
      );
      // Added neighbours belong to granted files.
      granted.grant(guess.paths);
      const proposedGroups = guess.separate.map(({ pieces }, group) => ({ group, pieces }));
      if (!signal.aborted)
        startScan(
          proposedGroups.length > 0 ? proposedGroups : [{ group: 0, pieces: keptPieces }],
          round,
          signal,
        );
      const madeAsset = madeOf(id, fingerprint);
      const view = sourceView(guess, {
        forecast: (bytes, files) => jobs.forecast(id, bytes, files),
        recall: (kindKey) => recallChoice(settings, id, kindKey),
        madeBefore: fingerprints.map((assetFingerprint) => madeOf(id, assetFingerprint)),
      });
      if (!request) return madeAsset ? { ...view, madeBefore: madeAsset } : view;
      return { ...view, asSent: asSentView(request.body, asSent ?? { leftOut: [], assigned: [] }) };
    },
    'source.regroup': async ({ round, assets }) => {
      const signal = leavePrevious();
      startScan(assets, round, signal);
      const fingerprints = await inspector.ask('fingerprints', assets);
      const id = accountId();
      return assets.flatMap(({ group }, index) => {
        const madeAsset = madeOf(id, fingerprints[index] ?? null);
        return madeAsset ? [{ group, madeBefore: madeAsset }] : [];
      });
    },
    'source.folders': async (path) => {
      await granted.check([path]);
      return foldersIn(path);
    },
    'source.leftOut': (selection) => inspector.ask('leftOut', selection),
    'source.partFile': (selection) => inspector.ask('partFile', selection),
    'source.placeAs': (placement) => inspector.ask('placeAs', placement),
    'source.copyNames': async (names) => clipboard.writeText(names.map(readable).join('\n')),
    // Builds the command from the name, so that a page can't put its own on the clipboard.
    'source.copyCommand': async ({ fileName, commandIndex }) => {
      const terminal = process.platform === 'win32' ? 'windows' : 'posix';
      const command = howToFor(fileName, terminal)?.commands[commandIndex];
      if (command !== undefined) clipboard.writeText(command);
    },
    'source.leave': async () => {
      leavePrevious();
    },
    'systems.search': async (text) => {
      const { search } = await loadSystems();
      return search(text, maxSystems).map((system) => ({
        code: system.code,
        name: system.name,
        area: areaOfUse(system),
      }));
    },
  };
}
