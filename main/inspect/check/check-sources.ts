import type { KnownSourceType } from '../../../shared/kinds.ts';
import type { Seen } from '../../../shared/source.ts';
import { toTileliftError } from '../../errors.ts';
import { bytesOf, PickedFiles } from '../../files/file-table.ts';
import type { SourceFiles } from '../../files/model.ts';
import { toKey } from '../../files/paths.ts';
import type { InspectedSource } from '../inspect-source.ts';
import { type CheckedRest, type CheckedSource, type CheckReport, reportOf } from './check-report.ts';

/** What a check needs of the process that it runs in. */
export interface CheckParts {
  /** As `inspectSource`. */
  readonly inspect: (paths: readonly string[], signal: AbortSignal) => Promise<InspectedSource>;
  /** As `SurveyThread.survey`. */
  readonly survey: (
    files: SourceFiles,
    signal: AbortSignal,
    tell: (news: { readonly seen: Seen }) => void,
  ) => Promise<void>;
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
  { inspect, survey, tell }: CheckParts,
  signal: AbortSignal,
): Promise<CheckReport> {
  const checked: CheckedSource[] = [];
  const leftOut: CheckedRest[] = [];
  try {
    for (const together of sourcesOf(paths)) {
      const whole = await inspect(together, signal);
      leftOut.push(...restOf(whole));
      for (const source of whole.suggestSeparate ? whole.separate : [whole]) {
        const { files, suggestion } = source;
        let seen = nothingSeen(files.length);
        await survey(files, signal, (news) => {
          seen = news.seen;
          tell(seen);
        });
        const suggested = suggestion ? [suggestion.sourceType] : null;
        checked.push({
          paths: source.paths,
          files: files.length,
          bytes: bytesOf(files),
          kind: sourceTypes ? { from: 'type', sourceTypes } : { from: 'files', sourceTypes: suggested ?? [] },
          seen,
        });
      }
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

/** Keys that are named of what is left out for one reason. */
const maxNames = 1_000;

function restOf({ allPieces, scan }: InspectedSource): readonly CheckedRest[] {
  const { notUtf8 = [] } = scan;
  const unnamed = { reason: 'name-not-utf8', files: notUtf8.length, bytes: 0 } as const;
  const pieces = allPieces.flatMap(({ reason, files }): readonly CheckedRest[] => {
    if (reason === null) return [];
    const names = Array.from(new PickedFiles(scan.files, files.slice(0, maxNames)), ({ key }) => key);
    const bytes = bytesOf(new PickedFiles(scan.files, files));
    return [{ reason, files: files.length, bytes, names }];
  });
  return notUtf8.length === 0 ? pieces : [...pieces, { ...unnamed, names: notUtf8.slice(0, maxNames) }];
}

function nothingSeen(files: number): Seen {
  return {
    ...{ state: 'stopped', looked: 0, total: files, systems: [], extent: null },
    ...{ placed: 0, degrees: [], findings: [] },
  };
}
