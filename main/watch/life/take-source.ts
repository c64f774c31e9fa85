import { creationOptions } from '../../service/creation-options.ts';
import type { CreationBody } from '../../service/model.ts';
import { whereaboutsOf } from '../folder/whereabouts.ts';
import type { FoundSource, LedgerEntry } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { gitignoreFor } from '../survey/left-out.ts';
import { note, type WatchParts } from '../watch-parts.ts';
import { sourcePhrase } from '../words.ts';
import { fillIn, namePartsOf } from './asset-name.ts';

/**
 * Makes a settled source into a job. The ledger's row is written in the transaction that writes the job: whatever kills Tilelift, there are both or neither.
 * Gives the job's id. `again`: it failed before and has not changed. Throws `watch-already-taken` where it has an asset already.
 */
export async function takeSource(
  rule: WatchRule,
  source: FoundSource,
  again: boolean,
  parts: WatchParts,
): Promise<string> {
  const { ledger, jobs, clock } = parts;
  const there = await placesThere(rule, ledger.withIdentity(rule.id, source.identity));
  const at = clock.now();
  const jobId = jobs.add(
    {
      accountId: rule.accountId,
      paths: source.paths,
      body: creationBodyOf(rule, source, at, ledger.takenSoFar(rule.id)),
      acceptForecast: rule.whenTooLong === 'upload',
      exactly: {
        keysFrom: source.keysFrom,
        gitignore: gitignoreFor(rule, source.keysFrom),
        fingerprint: source.dataFingerprint,
        home: rule.folder,
      },
    },
    (id) => ledger.take(rule.id, source, id, at, again, (path) => there.has(path)),
  );
  const values = { source: sourcePhrase(source) };
  note(parts, rule.id, { key: again ? 'sources.tookAgain' : 'sources.tookIt', values });
  return jobId;
}

/** Where something lies of what these rows speak of. A place that was not asked for has nothing, which is the stricter answer. */
async function placesThere(rule: WatchRule, rows: readonly LedgerEntry[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const { path } of rows) if (await whereaboutsOf(rule.folder, path, path)) there.add(path);
  return there;
}

/** `taken`: sources that the rule took before. */
export function creationBodyOf(
  rule: WatchRule,
  source: Pick<FoundSource, 'path' | 'keysFrom' | 'paths'>,
  at: number,
  taken: number,
): CreationBody {
  const parts = namePartsOf(rule, source, at, taken);
  const description = fillIn(rule.description, parts);
  return {
    name: fillIn(rule.namePattern, parts),
    ...(description === '' ? {} : { description }),
    type: rule.assetType,
    options: creationOptions(rule),
  };
}
