import { errorPhrase } from '../../../strings/said-error.ts';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../errors.ts';
import { withPatience } from '../../hanging-work.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { listBatch } from '../batches/batch-lists.ts';
import type { LedgerChange } from '../ledger/ledger-model.ts';
import { retryDelayMs } from '../ledger/retry-delay.ts';
import type { FoundSource, LedgerEntry } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { nameOf, readable } from '../words.ts';
import { letGo } from './claim-end.ts';
import type { Claim } from './claim-model.ts';
import { compareWithClaim, contentOfClaim } from './claimed-content.ts';
import type { Claims } from './claims.ts';
import { fateOfLeft, seeAsset } from './left-asset.ts';
import { isNotBegun, isStalled } from './no-hoarding.ts';

/** How long a file server may take to say whose a source is, before work continues without its word, ms. */
const patienceMs = 5_000;
const maxAsked = 3;

/**
 * Claims a source before it becomes a job. `theirs`: another computer has it; `done`: what became of it there
 * is known, and the ledger knows it. Throws `watch-claims-unwritable`, and what a failed request throws where
 * a claim names an asset.
 */
export async function claimSource(
  rule: WatchRule,
  source: FoundSource,
  claims: Claims,
  parts: WatchParts,
): Promise<'ours' | 'theirs' | 'done'> {
  const answer = await claimIt(rule, source, claims, parts);
  return answer === 'ours' ? listBatch(rule, source, claims, parts) : answer;
}

async function claimIt(
  rule: WatchRule,
  source: FoundSource,
  claims: Claims,
  parts: WatchParts,
): Promise<'ours' | 'theirs' | 'done'> {
  const { path, identity } = source;
  const isWanted = isWantedWhatever(parts.ledger.find(rule.id, path));
  const answer = await claims.claim(path, identity, isWanted ? 'whatever' : 'usual');
  const claim = claims.met(path);
  if (answer === 'ours' || answer === 'theirs' || !claim) return answer === 'ours' ? 'ours' : 'theirs';
  if (answer === 'left') return claimLeft(rule, source, claim, claims, parts);
  const verdict = await compareWithClaim(rule, source, claim, parts);
  if (verdict === 'unknown') return 'theirs';
  if (verdict === 'differs')
    return (await claims.claim(path, identity, 'whatever')) === 'ours' ? 'ours' : 'theirs';
  if (answer === 'done' && verdict === 'untold') {
    askWhetherDone(rule, source, claim, parts);
    return 'done';
  }
  settleElsewhere(rule, source, answer, claim, parts);
  if (answer === 'done') parts.ledger.change(rule.id, path, { content: await contentOfClaim(claim) });
  return 'done';
}

/** It may be the asset of another computer, or a new file of the same size: one would double, one be lost. */
function askWhetherDone(
  rule: WatchRule,
  source: FoundSource,
  { owner, asset }: Claim,
  parts: WatchParts,
): void {
  const subject = `${readable(owner.host)}${asset ? `, ${asset.id}` : ''}`;
  const error = toErrorRecord(new TileliftError('watch-done-untold', { subject }));
  knowSource(rule, source, { state: 'skipped', assetId: asset?.id ?? null, error }, parts);
  const values = { name: nameOf(rule, source.path), why: errorPhrase(error) };
  writeActivity(parts, rule.id, { key: 'sources.waits', values });
}

/** A source whose computer is gone, and had created an asset from it. */
async function claimLeft(
  rule: WatchRule,
  source: FoundSource,
  claim: Claim,
  claims: Claims,
  parts: WatchParts,
): Promise<'ours' | 'theirs' | 'done'> {
  const { path, identity } = source;
  const { asset } = claim;
  if (!asset) return 'theirs';
  const seen = await seeAsset(asset, rule, parts.accounts);
  const fate = fateOfLeft(asset, seen, rule);
  if (fate === 'going') return 'theirs';
  if ((await claims.claim(path, identity, 'whatever')) !== 'ours') return 'theirs';
  const values = { name: nameOf(rule, path), host: readable(claim.owner.host), id: String(asset.id) };
  if (fate === 'own') {
    writeActivity(parts, rule.id, { key: 'sources.leftOrphan', values });
    return 'ours';
  }
  if (fate === 'ask') {
    // Whoever is told to take it up does, here or elsewhere.
    await claims.finish(path, identity, {
      state: 'failed',
      outcome: 'watch-asset-left',
      asset,
      content: null,
    });
    waitForPerson(rule, source, claim, 'watch-asset-left', parts);
    return 'done';
  }
  await claims.finish(path, identity, { state: fate, outcome: seen?.status ?? fate, asset, content: null });
  settleElsewhere(rule, source, fate, claim, parts);
  return 'done';
}

/** Puts down what became of a source on another computer. */
function settleElsewhere(
  rule: WatchRule,
  source: FoundSource,
  fate: 'done' | 'failed',
  claim: Claim,
  parts: WatchParts,
): void {
  if (fate === 'failed') {
    const isLeft = claim.outcome === 'watch-asset-left';
    waitForPerson(rule, source, claim, isLeft ? 'watch-asset-left' : 'watch-failed-elsewhere', parts);
    return;
  }
  knowSource(rule, source, { state: 'skipped', assetId: claim.asset?.id ?? null }, parts);
  writeActivity(parts, rule.id, {
    key: 'sources.madeElsewhere',
    values: { name: nameOf(rule, source.path) },
  });
}

function waitForPerson(
  rule: WatchRule,
  source: FoundSource,
  { owner, asset }: Claim,
  code: 'watch-asset-left' | 'watch-failed-elsewhere',
  parts: WatchParts,
): void {
  const host = readable(owner.host);
  const subject = code === 'watch-asset-left' ? `${host}, ${asset?.id ?? ''}` : host;
  const error = toErrorRecord(new TileliftError(code, { subject }));
  const assetId = asset?.id ?? null;
  const endedAt = parts.clock.now();
  knowSource(rule, source, { state: 'waits-for-person', assetId, error, endedAt, retryAt: null }, parts);
  const why = errorPhrase(error);
  writeActivity(parts, rule.id, { key: 'sources.waits', values: { name: nameOf(rule, source.path), why } });
}

/** The ledger's row of a source that no job here was made of. */
function knowSource(
  rule: WatchRule,
  source: FoundSource,
  change: LedgerChange,
  { ledger, clock }: WatchParts,
): void {
  const { path, identity, fingerprint, newestMs } = source;
  if (!ledger.find(rule.id, path)) ledger.skip(rule.id, [source], clock.now());
  ledger.change(rule.id, path, { identity, fingerprint, newestMs, ...change });
}

const knownElsewhere: ReadonlySet<ErrorCode> = new Set([
  'watch-asset-left',
  'watch-failed-elsewhere',
  'watch-taken-over',
  'watch-done-untold',
]);

/** A person wants it, knowing what became of it elsewhere. A failed one only while nobody else has it. */
function isWantedWhatever(entry: Pick<LedgerEntry, 'standing' | 'error'> | undefined): boolean {
  if (entry?.standing?.why !== 'upload') return false;
  return entry.error === null || knownElsewhere.has(entry.error.code);
}

/**
 * Before a source that the ledger knows is tried again. False: another computer has it now, and it is given
 * up. Throws `watch-claims-unwritable`.
 */
export async function claimAgain(rule: WatchRule, entry: LedgerEntry, parts: WatchParts): Promise<boolean> {
  const claims = parts.claimsOf(rule);
  const answer = await claims?.claim(
    entry.path,
    entry.identity,
    isWantedWhatever(entry) ? 'whatever' : 'usual',
  );
  const isOurs = answer === undefined || answer === 'ours';
  if (!isOurs) await giveUp(rule, entry, parts);
  return isOurs;
}

/**
 * Whether the sources whose jobs continue are still ours, after a start or a change of the rule. Those that
 * another computer took over meanwhile are given up, so that there is one asset, not two. Where nothing
 * answers the rest waits until the claims are renewed.
 */
export async function confirmClaims(rule: WatchRule, claims: Claims, parts: WatchParts): Promise<void> {
  const mine = new Set(claims.mine());
  for (const entry of parts.ledger.taken()) {
    if (entry.ruleId !== rule.id || mine.has(entry.path)) continue;
    // It was let go, and is asked about again as soon as it continues.
    const job = entry.jobId === null ? undefined : parts.jobs.get(entry.jobId);
    if (job && isStalled(job)) continue;
    const answer = await askPatiently(entry, claims);
    if (answer === undefined) return;
    if (answer !== 'ours') await giveUp(rule, entry, parts);
  }
}

/**
 * Undefined when the folder gives no answer, however often it is asked: one failure may be another computer
 * that writes the same file just now.
 */
async function askPatiently({ path, identity }: LedgerEntry, claims: Claims) {
  for (let asked = 0; asked < maxAsked; asked++) {
    const answer = await withPatience(
      claims.claim(path, identity, 'confirm').catch(() => undefined),
      patienceMs,
    );
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Says that we are still at it, and gives up what another computer took over while this one slept. */
export async function renewClaims(
  rule: WatchRule,
  claims: Claims,
  parts: WatchParts,
  stalled: Set<string> = new Set(),
): Promise<void> {
  await letStalledGo(rule, claims, parts, stalled);
  await confirmClaims(rule, claims, parts);
  for (const path of await claims.renew()) {
    const entry = parts.ledger.find(rule.id, path);
    if (entry?.state === 'taken') await giveUp(rule, entry, parts);
  }
}

/**
 * Lets others have what has waited since the last renewal. `stalled`: paths then; those of now afterwards.
 */
async function letStalledGo(
  rule: WatchRule,
  claims: Claims,
  parts: WatchParts,
  stalled: Set<string>,
): Promise<void> {
  const mine = new Set(claims.mine());
  const before = new Set(stalled);
  stalled.clear();
  for (const entry of parts.ledger.taken()) {
    const { ruleId, path, jobId } = entry;
    const job = ruleId === rule.id && jobId !== null ? parts.jobs.get(jobId) : undefined;
    if (!job || !mine.has(path) || !isStalled(job)) continue;
    stalled.add(path);
    if (!before.has(path)) continue;
    if (isNotBegun(job)) await handBack(entry, job, parts);
    await letGo(rule, path, job, parts);
  }
}

/**
 * A job that could not even begin would create its asset as soon as it could, while another computer is at
 * the source: it is given up, and tried again from the start.
 */
async function handBack(entry: LedgerEntry, job: JobSnapshot, parts: WatchParts): Promise<void> {
  const { ledger, jobs, clock, random } = parts;
  const now = clock.now();
  const retries = entry.retries + 1;
  const retryAt = now + retryDelayMs(retries, random);
  const { error } = job;
  // First the ledger: the end of the job is then nobody's business any more.
  ledger.change(entry.ruleId, entry.path, {
    state: 'waits-for-retry',
    endedAt: now,
    retries,
    retryAt,
    error: error ?? toErrorRecord(new TileliftError('not-signed-in')),
  });
  await jobs.act(job.id, 'cancel');
  await jobs.act(job.id, 'remove');
  parts.onChange(entry.ruleId);
}

/**
 * The rule is going, its jobs continue: nobody renews their claims any more, and nobody is to take their
 * sources anyway.
 */
export async function leaveClaims(rule: WatchRule, claims: Claims, parts: WatchParts): Promise<void> {
  for (const { ruleId, path, identity, state } of parts.ledger.taken()) {
    if (ruleId !== rule.id) continue;
    await claims.finish(path, identity, { state: 'done', outcome: state, asset: null, content: null });
  }
}

/**
 * What another computer has by now is its own. Where that one is gone too, or has only the same settings as
 * this one, the source is asked about again later: then someone has finished it, or nobody is at it any more.
 */
async function giveUp(rule: WatchRule, entry: LedgerEntry, parts: WatchParts): Promise<void> {
  const { ledger, jobs, clock, timing } = parts;
  const now = clock.now();
  const met = parts.claimsOf(rule)?.met(entry.path);
  const subject = nameOf(rule, entry.path);
  const error = toErrorRecord(new TileliftError('watch-taken-over', { subject }));
  const state = stateWhere(met?.state ?? 'held');
  const retryAt = state === 'waits-for-retry' ? now + timing.staleClaimMs : null;
  // First the ledger: the end of the job is then nobody's business any more.
  ledger.change(rule.id, entry.path, { state, endedAt: now, error, retryAt });
  if (entry.jobId !== null && jobs.get(entry.jobId)) await jobs.act(entry.jobId, 'cancel');
  writeActivity(parts, rule.id, errorPhrase(error));
  parts.onChange(rule.id);
}

/** What a source is here that another computer has: under way there, complete there, or failed there. */
function stateWhere(there: Claim['state']): LedgerEntry['state'] {
  if (there === 'held') return 'waits-for-retry';
  return there === 'done' ? 'skipped' : 'waits-for-person';
}
