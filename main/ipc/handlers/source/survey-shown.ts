import { setTimeout } from 'node:timers/promises';
import type { SourceSeenView } from '../../../../preload/contract.ts';
import type { FindingGroup } from '../../../../shared/findings.ts';
import { packFootprints } from '../../../../shared/source.ts';
import type { Tilelift } from '../../../app.ts';
import { assetFiles } from '../../../inspect/grouping/asset-files.ts';
import { joinSeen } from '../../views/joined-seen.ts';
import { type Offers, offersFor, withOffers } from './along-offers.ts';
import type { ShownSource } from './changed-source.ts';

/** Nobody waits longer for what lies beside the first few files: it is told at the end of the survey. ms */
const firstOffersMs = 300;

interface SurveyShownParts {
  readonly tilelift: Pick<Tilelift, 'survey' | 'filesAlong'>;
  /** Null where the page shows none. */
  readonly shown: () => ShownSource | null;
  readonly keepShown: (source: ShownSource) => void;
  readonly tellSeen: (view: SourceSeenView) => void;
}

/** One of several assets: by the number that the page knows it by, the places of its pieces. */
interface NumberedAsset {
  readonly group: number;
  readonly pieces: readonly number[];
}

/**
 * Offers what lies beside single dropped files and answers these findings; nothing where the drive does not
 * answer in time.
 */
export async function offerFirst(
  parts: SurveyShownParts,
  source: Pick<ShownSource, 'paths' | 'files'>,
  findings: readonly FindingGroup[],
  signal: AbortSignal,
): Promise<Offers> {
  const late = setTimeout(firstOffersMs, new Map(), { ref: false });
  return Promise.race([offer(parts, source, findings, signal), late]);
}

/** Looks into all files of the assets, and tells the page what it sees. */
export async function surveyShown(
  parts: SurveyShownParts,
  source: ShownSource,
  assets: readonly NumberedAsset[],
  round: number,
  signal: AbortSignal,
): Promise<void> {
  const { tilelift, shown, tellSeen } = parts;
  const { files, lengths } = await assetFiles(
    source.files,
    source.pieces,
    assets.map(({ pieces }) => pieces),
  );
  const tell = (view: SourceSeenView) => {
    const offers = shown()?.offers ?? new Map();
    const ofFindings = <Seen extends { readonly findings: readonly FindingGroup[] }>(seen: Seen) => ({
      ...seen,
      findings: withOffers(seen.findings, offers),
    });
    const { assets, ...whole } = view;
    const seen = ofFindings(view.seen);
    tellSeen(assets ? { ...whole, seen, assets: assets.map(ofFindings) } : { ...whole, seen });
  };
  const told: SourceSeenView[] = [];
  await tilelift.survey(
    files,
    signal,
    ({ assets: ofAssets, ...news }) => {
      const numbered = ofAssets?.map((asset) => ({
        ...asset,
        group: assets[asset.group]?.group ?? asset.group,
      }));
      const view = { ...news, round, ...(numbered && { assets: numbered }) };
      told[0] = joinSeen(told[0] ?? view, { ...view, footprints: packFootprints([]) });
      tell(view);
    },
    lengths,
  );
  const [last] = told;
  if (!last || signal.aborted) return;
  // What was found beyond the first few files may have something beside it too.
  const offers = await offer(parts, source, last.seen.findings, signal);
  if (offers.size > 0 && !signal.aborted) tell(last);
}

async function offer(
  { tilelift, shown, keepShown }: SurveyShownParts,
  { paths, files }: Pick<ShownSource, 'paths' | 'files'>,
  findings: readonly FindingGroup[],
  signal: AbortSignal,
): Promise<Offers> {
  // A drive that does not answer offers nothing.
  const find: typeof tilelift.filesAlong = (folder, names) =>
    tilelift.filesAlong(folder, names).catch(() => new Map());
  const offers = await offersFor(paths, files, findings, find);
  const source = shown();
  if (source && !signal.aborted) keepShown({ ...source, offers });
  return offers;
}
