import { type BrowserWindow, clipboard } from 'electron';
import type { AssetMadeBefore, SourceSeenView, SourceWalkedView } from '../../../../preload/contract.ts';
import { howToFor } from '../../../../shared/how-to/how-to.ts';
import type { Tilelift } from '../../../app.ts';
import { TileliftError } from '../../../errors.ts';
import { loadSystems } from '../../../inspect/crs/systems.ts';
import { FirstWords } from '../../../inspect/survey/first-words.ts';
import { say } from '../../../say.ts';
import type { SettingsStore } from '../../../settings.ts';
import { readable } from '../../../watch/words.ts';
import type { CallHandlers } from '../../bind.ts';
import { chooseToOpen } from '../../dialogs.ts';
import type { GrantedPaths } from '../../granted-paths.ts';
import { asSentView } from '../../views/as-sent.ts';
import { sourceView } from '../../views/source-view.ts';
import { withOffers } from './along-offers.ts';
import { type ShownSource, shownSource } from './changed-source.ts';
import { recallChoice } from './last-choices.ts';
import { assetOfPieces, eachMadeBefore, madeBefore } from './made-before.ts';
import { piecesAgain } from './pieces-again.ts';
import { offerFirst, surveyShown } from './survey-shown.ts';

export interface SourceParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly granted: GrantedPaths;
  readonly window: () => BrowserWindow | undefined;
  /**
   * Keeps what the page shows, until it shows another source: its wish to upload comes when it looks on no
   * more.
   */
  readonly shown: () => ShownSource | null;
  readonly keepShown: (source: ShownSource | null) => void;
  /** Tells the page what was seen in further files. */
  readonly tellSeen: (view: SourceSeenView) => void;
  /** Tells the page how far the walk through a source has come. */
  readonly tellWalked: (view: SourceWalkedView) => void;
}

type SourceCall = Exclude<
  Extract<keyof CallHandlers, `source.${string}` | 'systems.search'>,
  'source.leftOut' | 'source.partFile'
>;

/** Found for a text; whoever needs more enters more of it. */
const maxSystems = 20;

/**
 * The calls about what was dropped. One source is looked into at a time: the last. `accountId`: of who is
 * signed in; throws otherwise.
 */
export function sourceHandlers(
  { tilelift, settings, granted, window, shown, keepShown, tellSeen, tellWalked }: SourceParts,
  accountId: () => string,
): Pick<CallHandlers, SourceCall> {
  let looking = new AbortController();
  /** What was shown before a look that may yet fail. */
  let before: ShownSource | null = null;
  const leave = () => {
    looking.abort();
    looking = new AbortController();
    return looking.signal;
  };
  return {
    'source.pick': async (what) => {
      const properties = [what === 'folder' ? 'openDirectory' : 'openFile', 'multiSelections'] as const;
      const options = { title: say('dialogs.sourceData'), properties: [...properties] };
      const filePaths = await chooseToOpen(window(), options);
      granted.grant(filePaths);
      return filePaths;
    },
    // Who has uploaded it has given it before.
    'source.recent': async (id) => {
      const { paths } = tilelift.jobs.wanted(id);
      granted.grant(paths);
      return paths;
    },
    'source.inspect': async ({ round, correcting, included, ...given }) => {
      const signal = leave();
      before = included ? (shown() ?? before) : null;
      keepShown(null);
      const wanted = correcting === undefined ? null : tilelift.jobs.wanted(correcting);
      // Who uploads it once more has given it before.
      if (wanted) granted.grant(wanted.paths);
      const { paths } = wanted ?? given;
      await granted.check(paths);
      const id = wanted?.accountId ?? accountId();
      const first = new FirstWords({
        now: () => performance.now(),
        survey: tilelift.survey,
        tell: (walked) => tellWalked({ round, ...walked }),
      });
      signal.addEventListener('abort', () => first.end(), { once: true });
      const inspected = await tilelift
        .preview(paths, wanted ? { only: wanted.changes?.only } : undefined, (files) => first.take(files))
        .finally(() => first.end());
      const again = await piecesAgain(inspected, before, included ?? []);
      const source = { ...inspected, allPieces: again.pieces };
      const { files, findings, separate } = source;
      const shownNow = shownSource(source);
      // What is taken along lies beside what was given, and belongs to it.
      granted.grant(source.paths);
      if (!signal.aborted) keepShown(shownNow);
      const survey = { tilelift, shown, keepShown, tellSeen };
      const offers = await offerFirst(survey, { paths: source.paths, files }, findings, signal);
      const proposed = separate.map(({ pieces }, group) => ({ group, pieces }));
      const all = [{ group: 0, pieces: source.pieces }];
      void surveyShown(survey, shownNow, proposed.length > 0 ? proposed : all, round, signal);
      const { jobs } = tilelift;
      const made =
        wanted || source.suggestSeparate
          ? null
          : await madeBefore(await assetOfPieces(shownNow, source.pieces), shownNow.files, id, jobs, signal);
      const eachMade = wanted ? [] : await eachMadeBefore(separate, shownNow.files, id, jobs, signal);
      const view = await sourceView(source, {
        forecast: (bytes, files) => jobs.forecast(id, bytes, files),
        recall: (kindKey) => recallChoice(settings, id, kindKey),
        withOffers: (groups) => withOffers(groups, offers),
        madeBefore: eachMade,
      });
      if (wanted) return { ...view, asSent: await asSentView(wanted, files) };
      return {
        ...view,
        ...(made && { madeBefore: made }),
        ...(included && { piecesAgain: again.places }),
      };
    },
    'source.regroup': async ({ round, assets }) => {
      const source = shown();
      if (!source) throw new TileliftError('input-invalid', { subject: 'pieces' });
      const signal = leave();
      void surveyShown({ tilelift, shown, keepShown, tellSeen }, source, assets, round, signal);
      const id = accountId();
      const made: AssetMadeBefore[] = [];
      for (const { group, pieces } of assets.filter((asset) => asset.group >= source.proposed)) {
        const asset = await assetOfPieces(source, pieces);
        const before = await madeBefore(asset, source.files, id, tilelift.jobs, signal);
        if (before) made.push({ group, madeBefore: before });
      }
      return made;
    },
    'source.copyNames': async (names) => clipboard.writeText(names.map(readable).join('\n')),
    // Made here of the name alone: a page puts no command of its own where a person pastes.
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
