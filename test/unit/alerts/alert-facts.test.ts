import { expect, it } from 'vitest';
import { ruleFacts } from '../../../main/alerts/alert-facts.ts';
import type { RuleSnapshot, SourceSnapshot } from '../../../main/watch/model/model.ts';
import { noSources } from '../../../shared/watch.ts';
import { aWatchRule } from '../../a-watch-rule.ts';

const source = (state: SourceSnapshot['state'], jobId: string | null = null): SourceSnapshot => {
  const noAmount = { files: 1, bytes: 1, why: [], at: 5, assetId: null, error: null, actions: [] };
  return { ruleId: 'r', path: `a ${state} one`, state, jobId, ...noAmount };
};

function factsOf(sources: readonly SourceSnapshot[]) {
  const rule = aWatchRule({
    id: 'r',
    folder: '/in',
    alerts: { failed: true, waitingHours: 1, silentDays: 1, signedOut: true },
  });
  const snapshot: RuleSnapshot = {
    ...{ rule, state: 'watching', notice: null, isNetworkDrive: false, counts: noSources },
    ...{ question: null, lastTakenAt: null, waitingSince: null, lastLookAt: 1 },
  };
  const watch = { rules: () => [snapshot], sources: () => sources };
  const [facts] = ruleFacts(watch, { accounts: () => [] });
  return facts;
}

it('alert facts count unfinished sources as waiting, but never skipped ones', () => {
  const states = ['settling', 'waiting', 'held', 'failed', 'complete', 'skipped', 'left-alone'] as const;
  const facts = factsOf([...states.map((state) => source(state)), source('under-way', 'job')]);
  expect(facts?.waitingSources?.map(({ path }) => path)).toEqual([
    'a settling one',
    'a waiting one',
    'a held one',
    'a under-way one',
  ]);
});

it('alert facts count sources that need a choice as not arriving, so that silence is noticed', () => {
  const arriving = (state: SourceSnapshot['state'], jobId: string | null = null) =>
    factsOf([source(state, jobId)])?.waitingSources?.map(({ isArriving }) => isArriving);
  expect(arriving('settling')).toEqual([true]);
  expect(arriving('waiting')).toEqual([true]);
  expect(arriving('held')).toEqual([false]);
  expect(arriving('under-way', 'job')).toEqual([false]);
});

it('alert facts count waiting sources after many skipped ones', () => {
  const loneSources = Array.from({ length: 600 }, () => source('left-alone'));
  expect(factsOf([source('waiting'), ...loneSources])?.waitingIsWhole).toBe(true);
  const waitingSources = Array.from({ length: 500 }, () => source('waiting'));
  expect(factsOf(waitingSources)?.waitingIsWhole).toBe(false);
});
