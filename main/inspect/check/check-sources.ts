import type { KnownSourceType } from '../../../shared/kinds.ts';
import type { Seen } from '../../../shared/source.ts';
import { toTileliftError } from '../../errors.ts';
import { toKey } from '../../files/paths.ts';
import type { Inspector } from '../session/inspector.ts';
import type { CheckedRest, DecidedAsset } from '../session/session.ts';
import { type CheckedSource, type CheckReport, reportOf } from './check-report.ts';

/** What a check needs of the process that it runs in. */
export interface CheckParts {
  readonly inspector: Pick<Inspector, 'decide' | 'surveyDecided'>;
  /** What has been seen of the source that is looked into now. */
  readonly tell: (seen: Seen) => void;
}

export interface CheckWishes {
  /** Absolute. Data of different kinds is a source each, as where it is dropped. */
  readonly paths: readonly string[];
  /** Findings that matter to these alone. Null: to what the files suggest. */
  readonly sourceTypes: readonly KnownSourceType[] | null;
  /** What may disappoint counts as well. */
  readonly strict: boolean;
}

/** Errors about what was given, not about what happened. */
const inputErrors: ReadonlySet<string> = new Set([
  'source-missing',
  'source-empty',
  'source-unreadable',
  'source-keys-collide',
  'source-name-too-long',
  'source-name-not-utf8',
]);

/**
 * Looks into all files of the sources that paths are, one source after the other, with neither account nor
 * network. Throws nothing: what keeps it from looking is in the report. Where the signal aborts, the report
 * holds what was seen until then.
 */
export async function checkSources(
  { paths, sourceTypes, strict }: CheckWishes,
  parts: CheckParts,
  signal: AbortSignal,
): Promise<CheckReport> {
  const { inspector } = parts;
  const checked: CheckedSource[] = [];
  const leftOut: CheckedRest[] = [];
  try {
    for (const together of sourcesOf(paths)) {
      const source = await inspector.decide(together);
      leftOut.push(...source.rest);
      for (const asset of source.suggestSeparate ? source.separate : [source.whole])
        checked.push(await checkAsset(asset, sourceTypes, parts, signal));
    }
  } catch (thrown) {
    if (signal.aborted) return reportOf(checked, strict, { stopped: true }, leftOut);
    const error = toTileliftError(thrown);
    return reportOf(checked, strict, { error, isOfInput: inputErrors.has(error.code) }, leftOut);
  }
  return reportOf(checked, strict, { stopped: signal.aborted }, leftOut);
}

/**
 * Entries that are looked at together, so that sidecars find what they belong to. Where two bear the same
 * name each is a source, since the files of both would get one key.
 */
function sourcesOf(paths: readonly string[]): readonly (readonly string[])[] {
  const once = [...new Set(paths)];
  const names = new Set(once.map((path) => toKey(path.replace(/^.*[/\\]/, ''))));
  return names.size === once.length ? [once] : once.map((path) => [path]);
}

/**
 * Looks into all files of an asset that was decided on.
 *
 * @param sourceTypes null for what its files suggest
 */
export async function checkAsset(
  asset: DecidedAsset,
  sourceTypes: readonly KnownSourceType[] | null,
  { inspector, tell }: { readonly inspector: Pick<Inspector, 'surveyDecided'> } & Pick<CheckParts, 'tell'>,
  signal: AbortSignal,
): Promise<CheckedSource> {
  const { paths, files, bytes, suggestion } = asset;
  let seen = nothingSeen(files);
  await inspector.surveyDecided(asset, signal, (news) => {
    seen = news;
    tell(seen);
  });
  const suggested = suggestion ? [suggestion.sourceType] : [];
  const kind = sourceTypes
    ? ({ from: 'type', sourceTypes } as const)
    : ({ from: 'files', sourceTypes: suggested } as const);
  return { paths, files, bytes, kind, seen };
}

function nothingSeen(files: number): Seen {
  return {
    ...{ state: 'stopped', looked: 0, total: files, systems: [], extent: null },
    ...{ placed: 0, degrees: [], findings: [] },
  };
}
