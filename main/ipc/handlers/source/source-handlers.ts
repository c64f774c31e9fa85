import { type BrowserWindow, clipboard } from 'electron';
import type { SourceSeenView, SourceWalkedView } from '../../../../preload/contract.ts';
import { howToFor } from '../../../../shared/how-to/how-to.ts';
import type { Tilelift } from '../../../app.ts';
import { loadSystems } from '../../../inspect/crs/systems.ts';
import { say } from '../../../say.ts';
import type { SettingsStore } from '../../../settings.ts';
import { readable } from '../../../watch/model/source-names.ts';
import type { CallHandlers } from '../../bind.ts';
import { chooseToOpen } from '../../dialogs.ts';
import type { GrantedPaths } from '../../granted-paths.ts';
import { asSentView } from '../../views/as-sent.ts';
import { sourceView } from '../../views/source-view.ts';
import { recallChoice } from './last-choices.ts';

export interface SourceParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly granted: GrantedPaths;
  readonly window: () => BrowserWindow | undefined;
  readonly tellSeen: (view: SourceSeenView) => void;
  readonly tellWalked: (view: SourceWalkedView) => void;
}

type SourceCall = Extract<keyof CallHandlers, `source.${string}` | 'systems.search'>;

/** Limit of search results; users can refine the text. */
const maxSystems = 20;

/**
 * Handlers for dropped data; only the latest source is inspected. `accountId`: returns the current account or
 * throws.
 */
export function sourceHandlers(
  { tilelift, settings, granted, window, tellSeen, tellWalked }: SourceParts,
  accountId: () => string,
): Pick<CallHandlers, SourceCall> {
  const { jobs, inspector } = tilelift;
  let looking = new AbortController();
  const leave = () => {
    looking.abort();
    looking = new AbortController();
    return looking.signal;
  };
  const survey = (
    assets: readonly { readonly group: number; readonly pieces: readonly number[] }[],
    round: number,
    signal: AbortSignal,
  ) =>
    // The page's own calls report errors.
    void inspector
      .ask('survey', assets, { signal, tell: (news) => tellSeen({ ...news, round }) })
      .catch(() => {});
  const madeOf = (id: string, fingerprint: string | null) =>
    (fingerprint !== null && jobs.madeOf(id, fingerprint)) || null;
  return {
    'source.pick': async (what) => {
      const properties = [what === 'folder' ? 'openDirectory' : 'openFile', 'multiSelections'] as const;
      const options = { title: say('dialogs.sourceData'), properties: [...properties] };
      const filePaths = await chooseToOpen(window(), options);
      granted.grant(filePaths);
      return filePaths;
    },
    // The paths were granted for the earlier upload.
    'source.recent': async (id) => {
      const { paths } = tilelift.jobs.wanted(id);
      granted.grant(paths);
      return paths;
    },
    'source.inspect': async ({ round, correcting, included, ...given }) => {
      const signal = leave();
      const wanted = correcting === undefined ? null : jobs.wanted(correcting);
      // The paths were granted for the earlier upload.
      if (wanted) granted.grant(wanted.paths);
      const { paths } = wanted ?? given;
      await granted.check(paths);
      const id = wanted?.accountId ?? accountId();
      const sent = wanted ? (wanted.changes ?? null) : undefined;
      const { kept, fingerprint, fingerprints, asSent, ...guess } = await inspector.ask(
        'show',
        { paths, sent, included },
        { tell: (walked) => signal.aborted || tellWalked({ round, ...walked }) },
      );
      // Added neighbours belong to granted files.
      granted.grant(guess.paths);
      const proposed = guess.separate.map(({ pieces }, group) => ({ group, pieces }));
      if (!signal.aborted)
        survey(proposed.length > 0 ? proposed : [{ group: 0, pieces: kept }], round, signal);
      const made = madeOf(id, fingerprint);
      const view = sourceView(guess, {
        forecast: (bytes, files) => jobs.forecast(id, bytes, files),
        recall: (kindKey) => recallChoice(settings, id, kindKey),
        madeBefore: fingerprints.map((one) => madeOf(id, one)),
      });
      if (!wanted) return made ? { ...view, madeBefore: made } : view;
      return { ...view, asSent: asSentView(wanted.body, asSent ?? { leftOut: [], assigned: [] }) };
    },
    'source.regroup': async ({ round, assets }) => {
      const signal = leave();
      survey(assets, round, signal);
      const fingerprints = await inspector.ask('fingerprints', assets);
      const id = accountId();
      return assets.flatMap(({ group }, at) => {
        const made = madeOf(id, fingerprints[at] ?? null);
        return made ? [{ group, madeBefore: made }] : [];
      });
    },
    'source.leftOut': (wish) => inspector.ask('leftOut', wish),
    'source.partFile': (wish) => inspector.ask('partFile', wish),
    'source.copyNames': async (names) => clipboard.writeText(names.map(readable).join('\n')),
    // Builds the command from the name, so that a page can't put its own on the clipboard.
    'source.copyCommand': async ({ fileName, at }) => {
      const terminal = process.platform === 'win32' ? 'windows' : 'posix';
      const command = howToFor(fileName, terminal)?.commands[at];
      if (command !== undefined) clipboard.writeText(command);
    },
    'source.leave': async () => {
      leave();
    },
    'systems.search': async (text) => {
      const { search } = await loadSystems();
      return search(text, maxSystems).map(({ code, name, area }) => ({ code, name, area }));
    },
  };
}
