import { errorPhrase, TileliftError, toErrorRecord } from '../../errors.ts';
import type { FoundSource, LedgerEntry } from '../model.ts';
import { withPatience } from '../patience.ts';
import type { WatchRule } from '../rule.ts';
import { note, type WatchParts } from '../watch-parts.ts';
import { nameOf } from '../words.ts';
import type { Claims } from './claims.ts';

/** How long a file server may take to say whose a source is, before work goes on without its word, ms. */
const patienceMs = 5_000;
const mostAsked = 3;

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
  note(parts, rule.id, { key: 'sources.madeElsewhere', values: { name: nameOf(rule, path) } });
  return 'done';
}

/** Before a source that the ledger knows is tried again. False: another computer has it now, and it is given up. Throws `watch-claims-unwritable`. */
export async function claimAgain(rule: WatchRule, entry: LedgerEntry, parts: WatchParts): Promise<boolean> {
  const answer = await parts.claimsOf(rule)?.claim(entry.path, entry.identity);
  const isOurs = answer === undefined || answer === 'ours';
  if (!isOurs) await giveUp(rule, entry, parts);
  return isOurs;
}

/**
 * Whether the sources whose jobs go on are still ours, after a start or a change of the rule. Those that another computer took over meanwhile are given up, so
 * that there is one asset, not two. Where nothing answers the rest waits until the claims are renewed.
 */
export async function confirmClaims(rule: WatchRule, claims: Claims, parts: WatchParts): Promise<void> {
  const mine = new Set(claims.mine());
  for (const entry of parts.ledger.taken()) {
    if (entry.ruleId !== rule.id || mine.has(entry.path)) continue;
    const answer = await askPatiently(entry, claims);
    if (answer === undefined) return;
    if (answer !== 'ours') await giveUp(rule, entry, parts);
  }
}

/** Undefined when the folder gives no answer, however often it is asked: one failure may be another computer that writes the same file just now. */
async function askPatiently({ path, identity }: LedgerEntry, claims: Claims) {
  for (let asked = 0; asked < mostAsked; asked++) {
    const answer = await withPatience(
      claims.claim(path, identity).catch(() => undefined),
      patienceMs,
    );
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Says that we are still at it, and gives up what another computer took over while this one slept. */
export async function renewClaims(rule: WatchRule, claims: Claims, parts: WatchParts): Promise<void> {
  await confirmClaims(rule, claims, parts);
  for (const path of await claims.renew()) {
    const entry = parts.ledger.find(rule.id, path);
    if (entry?.state === 'taken') await giveUp(rule, entry, parts);
  }
}

/** The rule is going, its jobs go on: nobody renews their claims any more, and nobody is to take their sources all the same. */
export async function leaveClaims(rule: WatchRule, claims: Claims, parts: WatchParts): Promise<void> {
  for (const { ruleId, path, identity, state } of parts.ledger.taken()) {
    if (ruleId === rule.id) await claims.finish(path, identity, state);
  }
}

async function giveUp(rule: WatchRule, entry: LedgerEntry, parts: WatchParts): Promise<void> {
  const { ledger, jobs, clock } = parts;
  const subject = nameOf(rule, entry.path);
  const error = toErrorRecord(new TileliftError('watch-taken-over', { subject }));
  // First the ledger: the end of the job is then nobody's business any more.
  ledger.change(rule.id, entry.path, { state: 'skipped', endedAt: clock.now(), error });
  if (entry.jobId !== null && jobs.get(entry.jobId)) await jobs.act(entry.jobId, 'cancel');
  note(parts, rule.id, errorPhrase(error));
  parts.onChange(rule.id);
}
