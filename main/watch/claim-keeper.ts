import { TileliftError, toErrorRecord } from '../errors.ts';
import type { Claims } from './claims.ts';
import type { FoundSource, LedgerEntry } from './model.ts';
import type { WatchRule } from './rule.ts';
import { note, type WatchParts } from './watch-parts.ts';
import { nameOf } from './words.ts';

/** How long a file server may take to say whose a source is, before work goes on without its word, ms. */
const patienceMs = 5_000;

/**
 * Claims a source before it becomes a job. `theirs`: another computer has it; `done`: it became an asset there, which the ledger then knows.
 * Throws `watch-claims-unwritable`.
 */
export async function claimSource(
  rule: WatchRule,
  source: FoundSource,
  claims: Claims,
  parts: WatchParts,
): Promise<'ours' | 'theirs' | 'done'> {
  const answer = await claims.claim(source.path, source.identity);
  if (answer !== 'done') return answer;
  const { ledger, clock } = parts;
  const { path, identity, fingerprint, newestMs } = source;
  if (ledger.find(rule.id, path))
    ledger.change(rule.id, path, { identity, fingerprint, newestMs, state: 'skipped' });
  else ledger.skip(rule.id, [source], clock.now());
  note(parts, rule.id, `Another computer has made an asset of ${nameOf(rule, path)}.`);
  return 'done';
}

/**
 * After a start: whether the sources whose jobs are about to go on are still ours. Those that another computer took over meanwhile are given up, so that
 * there is one asset, not two.
 */
export async function confirmClaims(rule: WatchRule, claims: Claims, parts: WatchParts): Promise<void> {
  for (const entry of parts.ledger.taken()) {
    if (entry.ruleId !== rule.id) continue;
    const answer = await withPatience(claims.claim(entry.path, entry.identity));
    if (answer === 'theirs' || answer === 'done') await giveUp(rule, entry, parts);
  }
}

/** Says that we are still at it, and gives up what another computer took over while this one slept. */
export async function renewClaims(rule: WatchRule, claims: Claims, parts: WatchParts): Promise<void> {
  for (const path of await claims.renew()) {
    const entry = parts.ledger.find(rule.id, path);
    if (entry?.state === 'taken') await giveUp(rule, entry, parts);
  }
}

async function giveUp(rule: WatchRule, entry: LedgerEntry, parts: WatchParts): Promise<void> {
  const { ledger, jobs, clock } = parts;
  const subject = nameOf(rule, entry.path);
  const error = toErrorRecord(new TileliftError('watch-taken-over', { subject }));
  // First the ledger: the end of the job is then nobody's business any more.
  ledger.change(rule.id, entry.path, { state: 'skipped', endedAt: clock.now(), error });
  if (entry.jobId !== null && jobs.get(entry.jobId)) await jobs.act(entry.jobId, 'cancel');
  note(parts, rule.id, error.message);
  parts.onChange(rule.id);
}

/** Undefined when there is no answer in time, or none at all: the folder may be away. */
async function withPatience<T>(asked: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    return await Promise.race([asked.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
