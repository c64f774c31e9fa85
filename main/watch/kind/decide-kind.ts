import { mayBeClamped } from '../../../shared/assets.ts';
import { furtherOptions } from '../../../shared/creation-options.ts';
import { sharesOption } from '../../../shared/kinds.ts';
import type { Suggestion } from '../../../shared/source.ts';
import { TileliftError } from '../../errors.ts';
import type { Clock } from '../../outside.ts';
import { headsOf } from '../../source/heads/describe-heads.ts';
import { type Look, lookInside } from '../../source/heads/look-inside.ts';
import type { LookThread } from '../../source/heads/look-thread.ts';
import { recognize } from '../../source/kind-of-data.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { nameOf } from '../words.ts';

export interface KindParts {
  readonly looks: LookThread;
  readonly clock: Clock;
}

/**
 * A sheet that a person waits for gives up after half a second; here nobody waits, and a wrong kind is worse
 * than a late one. ms.
 */
const patienceMs = 30_000;
/** Files whose names are counted: they say what the rest is. */
const maxNames = 20_000;

/**
 * The rule as it is for this source: where it decides the kind for each, with the type and kind that the
 * source's names and heads show, and the options that mean something for it.
 *
 * @throws TileliftError `watch-kind-undecided`
 */
export async function ruleFor(rule: WatchRule, source: FoundSource, parts: KindParts): Promise<WatchRule> {
  if (rule.kindFrom === 'rule') return rule;
  const kind = await decideKind(source, parts);
  if (!kind) throw new TileliftError('watch-kind-undecided', { subject: nameOf(rule, source.path) });
  const { assetType, sourceType } = kind;
  return {
    ...rule,
    assetType,
    sourceType,
    clampToTerrain: mayBeClamped(assetType) && rule.clampToTerrain,
    options: fittingOptions(rule.options, sourceType),
  };
}

/**
 * What the New asset sheet would suggest. Null where nothing is recognised, or where only the extension
 * speaks and could mean two things.
 */
export async function decideKind(
  { files }: Pick<FoundSource, 'files'>,
  { looks: thread, clock }: KindParts,
): Promise<Suggestion | null> {
  const patient: Clock = {
    ...clock,
    now: clock.now,
    elapsed: clock.elapsed,
    sleep: (_ms, signal) => clock.sleep(patienceMs, signal),
  };
  const looks = await lookInside([files], patient, thread);
  const { suggestion, archivedNames } = await recognize(files.slice(0, maxNames), looks);
  const isSure = archivedNames.length > 0 || (suggestion && isSeen(suggestion, files, [...looks.values()]));
  return isSure ? suggestion : null;
}

/** A `.tif` may be a picture or heights, a `.gml` anything: only their heads tell. */
function isSeen({ sourceType }: Suggestion, files: FoundSource['files'], looks: readonly Look[]): boolean {
  if (sourceType === 'CITYGML') return headsOf(looks, 'gml').length > 0;
  const isRaster = sourceType === 'RASTER_IMAGERY' || sourceType === 'RASTER_TERRAIN';
  const isTiff = ({ key }: { key: string }) => /\.tiff?$/i.test(key);
  return !isRaster || !files.some(isTiff) || headsOf(looks, 'tiff').length > 0;
}

/** Of further options, as text, those that fit the kind. */
export function fittingOptions(options: string, sourceType: string): string {
  const fitting = Object.entries(furtherOptions(options)).filter(([name]) => sharesOption(sourceType, name));
  return JSON.stringify(Object.fromEntries(fitting));
}
