import type { KnownSourceType } from '../../../shared/kinds.ts';
import type { Seen } from '../../../shared/source.ts';
import { toTileliftError } from '../../errors.ts';
import { toKey } from '../../files/paths.ts';
import type { Inspector } from '../session/inspector.ts';
import type { SentRequest } from '../session/sent-files.ts';
import type { CheckedRest, DecidedAsset } from '../session/session.ts';
import { type CheckedSource, type CheckReport, reportOf } from './check-report.ts';

export interface CheckParts {
  readonly inspector: Pick<Inspector, 'decide' | 'scanDecided'>;
  readonly notify: (results: Seen) => void;
}

export interface CheckOptions {
  /** Absolute. Each kind of data becomes a source. */
  readonly paths: readonly string[];
  /** Reports only findings for these; null: for the suggested kind. */
  readonly sourceTypes: readonly KnownSourceType[] | null;
  /** Whether `may-disappoint` counts. */
  readonly strict: boolean;
}

/** Errors caused by the given paths. */
const inputErrors: ReadonlySet<string> = new Set([
  'source-missing',
  'source-empty',
  'source-unreadable',
  'source-keys-collide',
  'source-name-too-long',
  'source-name-not-utf8',
]);

/**
 * Inspects all files without account or network. Never throws: the report holds errors, and partial results
 * after an abort.
 */
export async function checkSources(
  { paths, sourceTypes, strict }: CheckOptions,
  parts: CheckParts,
  signal: AbortSignal,
): Promise<CheckReport> {
  const { inspector } = parts;
  const checked: CheckedSource[] = [];
  const leftOut: CheckedRest[] = [];
  try {
    for (const entryPaths of sourcesOf(paths)) {
      const source = await inspector.decide(entryPaths);
      leftOut.push(...source.leftOutFiles);
      for (const asset of source.suggestSeparate ? source.separate : [source.whole])
        checked.push(await checkAsset(asset, sourceTypes, parts, signal));
    }
  } catch (cause) {
    if (signal.aborted) return reportOf(checked, strict, { stopped: true }, leftOut);
    const error = toTileliftError(cause);
    return reportOf(checked, strict, { error, isOfInput: inputErrors.has(error.code) }, leftOut);
  }
  return reportOf(checked, strict, { stopped: signal.aborted }, leftOut);
}

/**
 * Groups entries so that sidecars find their files. Entries of the same name are separate, because their keys
 * would collide.
 */
function sourcesOf(paths: readonly string[]): readonly (readonly string[])[] {
  const once = [...new Set(paths)];
  const names = new Set(once.map((path) => toKey(path.replace(/^.*[/\\]/, ''))));
  return names.size === once.length ? [once] : once.map((path) => [path]);
}

/**
 * Inspects all files of a decided asset.
 *
 * @param sourceTypes null for the suggested kind
 */
export async function checkAsset(
  asset: DecidedAsset,
  sourceTypes: readonly KnownSourceType[] | null,
  { inspector, notify }: { readonly inspector: Pick<Inspector, 'scanDecided'> } & Pick<CheckParts, 'notify'>,
  signal: AbortSignal,
): Promise<CheckedSource> {
  const { paths, files, bytes, suggestion } = asset;
  let results = emptyResults(files);
  await inspector.scanDecided(asset, signal, (news) => {
    results = news;
    notify(results);
  });
  const suggested = suggestion ? [suggestion.sourceType] : [];
  const kind = sourceTypes
    ? ({ from: 'type', sourceTypes } as const)
    : ({ from: 'files', sourceTypes: suggested } as const);
  return { paths, files, bytes, kind, seen: results };
}

/** Inspects what an upload sent. Never throws: without its files, the report has only their paths. */
export async function checkSent(
  request: SentRequest,
  inspector: Pick<Inspector, 'scanSent'>,
  signal: AbortSignal,
): Promise<CheckReport> {
  let results = emptyResults(0);
  let amount = { files: 0, bytes: 0 };
  let outcome: Parameters<typeof reportOf>[2] = { stopped: false };
  try {
    amount = await inspector.scanSent(request, signal, (news) => {
      results = news;
    });
  } catch (cause) {
    outcome = signal.aborted ? { stopped: true } : { error: toTileliftError(cause), isOfInput: true };
  }
  const kind = { from: 'type', sourceTypes: [request.body.options.sourceType] } as const;
  return reportOf([{ paths: request.paths, ...amount, kind, seen: results }], false, outcome);
}

function emptyResults(files: number): Seen {
  return {
    ...{ state: 'stopped', looked: 0, total: files, systems: [], extent: null },
    ...{ placed: 0, degrees: [], findings: [] },
  };
}
