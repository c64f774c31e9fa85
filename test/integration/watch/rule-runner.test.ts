import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../main/jobs/journal/database.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/outside.ts';
import { createLookThread } from '../../../main/source/heads/look-thread.ts';
import { createLedger } from '../../../main/watch/ledger/ledger.ts';
import type { Ledger } from '../../../main/watch/ledger/ledger-model.ts';
import { retryDue } from '../../../main/watch/life/retries.ts';
import { finishMoves, moveSource } from '../../../main/watch/moves/move-source.ts';
import { RuleRunner, type RuleRunnerHooks } from '../../../main/watch/rule-runner.ts';
import { createFindWriter } from '../../../main/watch/settle/open-for-writing.ts';
import { surveySource } from '../../../main/watch/survey/survey.ts';
import { Contents } from '../../../main/watch/verify/contents.ts';
import type { WatchParts } from '../../../main/watch/watch-parts.ts';
import { saidLines } from '../../said.ts';
import { rowOf } from '../../unit/watch/found-sources.ts';
import { fastTiming } from './house.ts';
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts';

let folder: WatchedFolder;
let ledger: Ledger;
let runner: RuleRunner | null = null;
const database = openDatabase(':memory:');
beforeEach(async () => {
  folder = await createWatchedFolder();
  database.exec('DELETE FROM ledger');
  ledger = createLedger(database, 'journal.db');
});
afterEach(async () => {
  await runner?.stop();
  runner = null;
  await folder[Symbol.asyncDispose]();
});

const looks = createLookThread();
afterAll(() => looks.close());

const jobs = { get: () => undefined, act: vi.fn(), onChange: () => () => {} };
const partsWith = (more: Partial<WatchParts> = {}): WatchParts => ({
  ledger,
  jobs: jobs as unknown as WatchParts['jobs'],
  accounts: {} as WatchParts['accounts'],
  clock: systemClock,
  elapsed: () => performance.now(),
  random: () => 0.5,
  timing: fastTiming,
  scanWorker: undefined,
  looks,
  findWriter: createFindWriter(),
  contents: new Contents({ ledger, jobs: jobs as unknown as WatchParts['jobs'] }),
  log: silentLog,
  instance: 'one',
  refuseFolder: async () => null,
  claimsOf: () => null,
  onChange: () => {},
  rules: () => [],
  onEnd: () => {},
  ...more,
});

function run(hooks: Partial<RuleRunnerHooks>, more: Partial<WatchParts> = {}): RuleRunner {
  runner = new RuleRunner(folder.rule(), partsWith(more), {
    turns: { free: () => true, onFree: () => () => {} },
    take: async () => true,
    finish: async () => {},
    refine: async (_, decision) => decision,
    retry: async () => null,
    ...hooks,
  });
  runner.start();
  return runner;
}

const rounds = (path: string) => vi.waitFor(() => expect(taken).toContain(path), { timeout: 20_000 });
let taken: string[] = [];
beforeEach(() => {
  taken = [];
});
const take = async ({ path }: { readonly path: string }) => {
  taken.push(path);
  return true;
};

it('does not take what something else has taken while it settled', async () => {
  await folder.put('a.tif', 'b.tif');
  const watching = run({ take });
  await vi.waitFor(() => expect(watching.isPending('a.tif')).toBe(true));
  const source = await surveySource(folder.rule(), 'a.tif');
  if (!source) throw new Error('there is no source');
  ledger.take('rule', source, 'job', 1, false);
  await rounds('b.tif');
  expect(taken).toEqual(['b.tif']);
  await vi.waitFor(() => expect(watching.isPending('a.tif')).toBe(false));
});

it('takes the next source when one can’t be taken, and says why that waits', async () => {
  await folder.put('a.tif', 'b.tif');
  const watching = run({
    take: async (source) => {
      if (source.path === 'a.tif') throw new Error('no such luck');
      return take(source);
    },
  });
  await rounds('b.tif');
  // Either may come first.
  await vi.waitFor(() =>
    expect(saidLines(ledger.activity('rule', 10)).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^a\.tif is waiting/),
    ),
  );
  expect([...watching.pending]).toMatchObject([{ found: { path: 'a.tif' }, settled: false }]);
});

it('shows a failure of the journal only as long as it lasts', async () => {
  let isFull = true;
  const watching = run({
    take,
    retry: async () => {
      if (isFull) throw new Error('the disk is full');
      return null;
    },
  });
  await vi.waitFor(() => expect(watching.state.notice).not.toBeNull());
  isFull = false;
  await vi.waitFor(() => expect(watching.state.notice).toBeNull());
});

it('hears a person who wants a source at once while that is being looked at', async () => {
  const timing = { ...fastTiming, settleMs: { local: 3_600_000, network: 3_600_000 } };
  await folder.put('a.tif');
  const watching = run({ take }, { timing });
  await vi.waitFor(() => expect(watching.isPending('a.tif')).toBe(true));
  watching.takeNow('a.tif');
  await rounds('a.tif');
});

it('does not go round and round over a source that waits for another try and is none any more', async () => {
  await folder.put('empty/.keep.tmp');
  const found = rowOf({ ...(await theSource('empty')), path: 'empty' });
  ledger.take(
    'rule',
    { ...found, dataFingerprint: '', files: [], paths: [], keysFrom: '', digest: '' },
    'job',
    1,
    false,
  );
  ledger.change('rule', 'empty', { state: 'waits-for-retry', retryAt: 0 });
  const lookAt = vi.fn();
  const hooks = { turnIsFree: () => true, isAwaited: () => false, lookAt, follow: () => {} };
  expect(await retryDue(folder.rule(), partsWith(), hooks)).toBeNull();
  expect(lookAt).not.toHaveBeenCalled();
  expect(ledger.find('rule', 'empty')?.state).toBe('waits-for-change');
});

it('puts a source off that can’t be tried again, and tries the next', async () => {
  await folder.put('a.tif', 'b.tif');
  for (const path of ['a.tif', 'b.tif']) {
    ledger.take('rule', await theSource(path), `job of ${path}`, 1, false);
    ledger.change('rule', path, { state: 'waits-for-retry', retryAt: 0 });
  }
  const followed: string[] = [];
  const job = { id: 'b', status: 'failed', endedAt: 1, actions: ['try-again'], paths: [] };
  const broken = {
    claim: async (path: string) => {
      if (path === 'a.tif') throw new Error('the server is away');
      return 'ours';
    },
  };
  const parts = partsWith({
    jobs: { ...jobs, get: () => job } as unknown as WatchParts['jobs'],
    claimsOf: () => broken as unknown as ReturnType<WatchParts['claimsOf']>,
  });
  const follow = (id: string) => void followed.push(id);
  await retryDue(folder.rule(), parts, {
    turnIsFree: () => true,
    isAwaited: () => false,
    lookAt: () => {},
    follow,
  });
  expect(ledger.find('rule', 'a.tif')).toMatchObject({ state: 'waits-for-retry', retries: 1 });
  expect(ledger.find('rule', 'a.tif')?.retryAt).toBeGreaterThan(Date.now());
  expect(ledger.find('rule', 'b.tif')?.state).toBe('taken');
  expect(followed).toEqual(['b']);
});

it('tries nothing again that another computer has taken over', async () => {
  await folder.put('a.tif');
  ledger.take('rule', await theSource('a.tif'), 'job', 1, false);
  ledger.change('rule', 'a.tif', { state: 'waits-for-retry', retryAt: 0 });
  const act = vi.fn();
  const job = { id: 'job', status: 'failed', endedAt: 1, actions: ['try-again'], paths: [] };
  const parts = partsWith({
    jobs: { ...jobs, get: () => job, act } as unknown as WatchParts['jobs'],
    claimsOf: () =>
      ({ claim: async () => 'theirs', met: () => undefined }) as unknown as ReturnType<
        WatchParts['claimsOf']
      >,
  });
  const hooks = { turnIsFree: () => true, isAwaited: () => false, lookAt: () => {}, follow: () => {} };
  await retryDue(folder.rule(), parts, hooks);
  expect(ledger.find('rule', 'a.tif')).toMatchObject({
    state: 'waits-for-retry',
    error: { code: 'watch-taken-over' },
  });
  expect(act).not.toHaveBeenCalledWith('job', 'try-again');
});

it('leaves moves alone that are under way while the folder is looked through', async () => {
  const rule = folder.rule({ afterSuccess: { kind: 'move', folder: 'done' } });
  const companions = ['tfw', 'prj', 'aux.xml', 'ovr'];
  for (let count = 0; count < 20; count++) {
    const names = ['tif', ...companions].map((ending) => `scan-${count}.${ending}`);
    await folder.put(...names);
    const source = await surveySource(rule, `scan-${count}.tif`);
    if (!source) throw new Error('there is no source');
    const options = { rule, target: join(folder.path, 'done'), at: 0, shared: new Set<string>() };
    let isMoved = false;
    const moving = moveSource(source, options, ledger).finally(() => {
      isMoved = true;
    });
    while (!isMoved) {
      await finishMoves(folder.path, ledger);
      await setImmediate();
    }
    await moving;
    for (const name of names) await rename(join(folder.path, 'done', name), join(folder.path, `${name}.tmp`));
  }
});

async function theSource(path: string) {
  const source = await surveySource(folder.rule(), path);
  if (source) return source;
  await folder.put('stand-in.tif');
  const other = await surveySource(folder.rule(), 'stand-in.tif');
  if (!other) throw new Error('there is no source');
  return other;
}
