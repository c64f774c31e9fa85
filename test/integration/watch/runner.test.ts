import fs from 'node:fs';
import { rename } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createInspectionThread } from '../../../main/inspect/headers/inspection-thread.ts';
import { createInspector } from '../../../main/inspect/session/inspector.ts';
import { openDatabase } from '../../../main/jobs/journal/database.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { finishMoves, moveSource } from '../../../main/watch/finish/move-source.ts';
import { SourceLifecycle, type SourceLifecycleOptions } from '../../../main/watch/finish/source-lifecycle.ts';
import { ScanQueue } from '../../../main/watch/model/scheduling.ts';
import { RuleRunner, type RunnerPorts } from '../../../main/watch/runner.ts';
import { scanSourceAt } from '../../../main/watch/scan/scan-rule.ts';
import { createFindWriter } from '../../../main/watch/settle/open-for-writing.ts';
import { SourceFindings } from '../../../main/watch/settle/source-findings.ts';
import { Contents } from '../../../main/watch/state/contents.ts';
import { createLedger, type Ledger } from '../../../main/watch/state/ledger/ledger.ts';
import { tiff } from '../../deliveries/data.ts';
import { saidLines } from '../../said.ts';
import { rowOf } from '../../unit/watch/found-sources.ts';
import { fastTiming } from './fixture.ts';
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts';

type WatchParts = RunnerPorts & SourceLifecycleOptions['parts'];

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

const inspectionThread = createInspectionThread();
const inspector = createInspector();
afterAll(() => {
  inspectionThread.close();
  inspector.close();
});

const jobs = { get: () => undefined, act: vi.fn(), onChange: () => () => {} };
const leases: WatchParts['leases'] = {
  owner: { instance: 'one', machine: 'one', host: 'office-1', pid: 1 },
  acquire: async () => ({ kind: 'ours' }),
  renew: async () => true,
  writes: () => false,
};
const partsWith = (more: Partial<WatchParts> = {}): WatchParts => ({
  ledger,
  jobs: jobs as unknown as WatchParts['jobs'],
  accounts: {} as WatchParts['accounts'],
  clock: systemClock,
  elapsed: () => performance.now(),
  random: () => 0.5,
  timing: fastTiming,
  scanWorker: undefined,
  ...{ inspectionThread, inspector },
  scanQueue: new ScanQueue(),
  onScanned: () => {},
  findWriter: createFindWriter(),
  findings: new SourceFindings({
    inspector,
    onDone: (_, path) => runner?.wasInspected(path),
  }),
  contents: new Contents({ ledger, jobs: jobs as unknown as WatchParts['jobs'] }),
  log: silentLog,
  refuseFolder: async () => null,
  leases,
  onChange: () => {},
  rules: () => [],
  ruleOf: () => undefined,
  onEnd: () => {},
  ...more,
});

function run(life: Partial<SourceLifecycle>, more: Partial<WatchParts> = {}): RuleRunner {
  const standIn: Partial<SourceLifecycle> = {
    mayTake: () => true,
    makeJob: async () => true,
    moveLate: async () => {},
    hasOwnJob: async () => false,
    retryDue: async () => null,
    ...life,
  };
  runner = new RuleRunner(folder.rule(), partsWith(more), standIn as SourceLifecycle);
  runner.start();
  return runner;
}

/** Creates the lifecycle of the rule’s sources; `followed` collects the jobs that it resumes. */
function lifeWith(
  parts: WatchParts,
  followed: string[] = [],
  lifeRunner?: SourceLifecycleOptions['runner'],
): SourceLifecycle {
  return new SourceLifecycle({
    rule: folder.rule(),
    parts,
    follower: {
      hasSlot: () => true,
      follow: (id) => void followed.push(id),
      jobs: () => [],
    },
    restored: { check: async () => {} },
    refusals: { mayTakeAnother: () => true },
    runner: lifeRunner ?? (() => undefined),
  });
}

const rounds = (path: string) => vi.waitFor(() => expect(taken).toContain(path), { timeout: 20_000 });
let taken: string[] = [];
beforeEach(() => {
  taken = [];
});
const makeJob = async ({ path }: { readonly path: string }) => {
  taken.push(path);
  return true;
};

it('skips a source that was picked up elsewhere while it settled', async () => {
  await folder.put('a.tif', 'b.tif');
  const source = await scanSourceAt(folder.rule(), 'a.tif');
  if (!source) throw new Error('there is no source');
  const watching = run({ makeJob });
  await vi.waitFor(() => expect(watching.isAwaited('a.tif')).toBe(true));
  ledger.take('rule', source, 'job', 1, false);
  await rounds('b.tif');
  expect(taken).toEqual(['b.tif']);
  await vi.waitFor(() => expect(watching.isAwaited('a.tif')).toBe(false));
});

it('checks each of many sources only once before it picks them up', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `${index}.tif`);
  for (const name of names) await folder.write(name, tiff(name));
  const currentTime: string[] = [];
  run(
    { makeJob },
    {
      findWriter: async ({ path }) => {
        currentTime.push(path);
        return null;
      },
    },
  );
  await vi.waitFor(() => expect(taken).toHaveLength(300), { timeout: 100_000 });
  // Sources that settle in small rounds are checked one by one.
  expect(currentTime.length).toBeLessThan(450);
});

it('picks up the next source after a failure and logs why the failed one waits', async () => {
  await folder.put('a.tif', 'b.tif');
  const watching = run({
    makeJob: async (source) => {
      if (source.path === 'a.tif') throw new Error('no such luck');
      return makeJob(source);
    },
  });
  await rounds('b.tif');
  // Either source may come first.
  await vi.waitFor(() =>
    expect(saidLines(ledger.activity('rule', 10)).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^a\.tif is waiting/),
    ),
  );
  expect([...watching.sources.list.all]).toMatchObject([{ path: 'a.tif', state: { kind: 'settling' } }]);
});

it('shows a journal failure only while it lasts, and logs it once', async () => {
  let isFull = true;
  let failedRounds = 0;
  const warn = vi.fn();
  const retryDue = async () => {
    if (!isFull) return null;
    failedRounds += 1;
    throw new Error('the disk is full');
  };
  const watching = run({ makeJob, retryDue }, { log: { ...silentLog, warn } });
  await vi.waitFor(() => expect(failedRounds).toBeGreaterThan(2));
  expect(watching.state.notice).not.toBeNull();
  expect(warn).toHaveBeenCalledTimes(1);
  isFull = false;
  await vi.waitFor(() => expect(watching.state.notice).toBeNull());
});

it('reports the system’s watch limit if opening the folder reaches it, and scans often', async () => {
  await folder.put('a/1.tif', 'b/1.tif');
  const real = fs.watch;
  const limited = (path: string, ...rest: never[]) => {
    if (path.endsWith('/b')) throw Object.assign(new Error('limit'), { code: 'ENOSPC' });
    return Reflect.apply(real, fs, [path, ...rest]);
  };
  Object.assign(fs, { watch: limited });
  syncBuiltinESMExports();
  try {
    const watching = run({ makeJob }, { timing: { ...fastTiming, unheardScanMs: 200 } });
    await rounds('b');
    await vi.waitFor(() => expect(watching.state.notice?.code).toBe('watch-limit-reached'));
    const first = watching.state.lastLookAt ?? 0;
    await vi.waitFor(() => expect(watching.state.lastLookAt).toBeGreaterThan(first));
    expect(watching.state.notice?.code).toBe('watch-limit-reached');
  } finally {
    Object.assign(fs, { watch: real });
    syncBuiltinESMExports();
  }
});

it('picks up a settling source immediately when a person asks', async () => {
  const timing = { ...fastTiming, settleMs: { local: 3_600_000, network: 3_600_000 } };
  await folder.put('a.tif');
  const watching = run({ makeJob }, { timing });
  await vi.waitFor(() => expect(watching.isAwaited('a.tif')).toBe(true));
  watching.uploadNow('a.tif');
  await rounds('a.tif');
});

it('marks a vanished source as gone instead of retrying it endlessly', async () => {
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
  const rescan = vi.fn();
  const life = lifeWith(partsWith(), [], () => ({ isAwaited: () => false, rescan }));
  expect(await life.retryDue()).toBeNull();
  expect(rescan).not.toHaveBeenCalled();
  expect(ledger.find('rule', 'empty')?.standing).toMatchObject({ why: 'gone' });
});

it('postpones a source whose retry fails and retries the next', async () => {
  await folder.put('a.tif', 'b.tif');
  for (const path of ['a.tif', 'b.tif']) {
    ledger.take('rule', await theSource(path), `job of ${path}`, 1, false);
    ledger.change('rule', path, { state: 'waits-for-retry', retryAt: 0 });
  }
  const followed: string[] = [];
  const job = { id: 'b', status: 'failed', endedAt: 1, actions: ['try-again'], paths: [] };
  const answers = [Promise.reject(new Error('the server is away')), Promise.resolve(true)];
  for (const answer of answers) answer.catch(() => {});
  const parts = partsWith({
    jobs: { ...jobs, get: () => job } as unknown as WatchParts['jobs'],
    leases: { ...leases, renew: async () => answers.shift() ?? true },
  });
  await lifeWith(parts, followed).retryDue();
  expect(ledger.find('rule', 'a.tif')).toMatchObject({ state: 'waits-for-retry', retries: 1 });
  expect(ledger.find('rule', 'a.tif')?.retryAt).toBeGreaterThan(Date.now());
  expect(ledger.find('rule', 'b.tif')?.state).toBe('taken');
  expect(followed).toEqual(['b']);
});

it('retries nothing while another computer watches the folder', async () => {
  await folder.put('a.tif');
  ledger.take('rule', await theSource('a.tif'), 'job', 1, false);
  ledger.change('rule', 'a.tif', { state: 'waits-for-retry', retryAt: 0 });
  const act = vi.fn();
  const job = { id: 'job', status: 'failed', endedAt: 1, actions: ['try-again'], paths: [] };
  const parts = partsWith({
    jobs: { ...jobs, get: () => job, act } as unknown as WatchParts['jobs'],
    leases: { ...leases, renew: async () => false },
  });
  await lifeWith(parts).retryDue();
  expect(ledger.find('rule', 'a.tif')).toMatchObject({ state: 'waits-for-retry' });
  expect(act).not.toHaveBeenCalledWith('job', 'try-again');
});

it('leaves moves under way undisturbed while it scans the folder', async () => {
  const rule = folder.rule({ afterSuccess: { kind: 'move', folder: 'done' } });
  const companions = ['tfw', 'prj', 'aux.xml', 'ovr'];
  for (let count = 0; count < 20; count++) {
    const names = ['tif', ...companions].map((ending) => `scan-${count}.${ending}`);
    await folder.put(...names);
    const source = await scanSourceAt(rule, `scan-${count}.tif`);
    if (!source) throw new Error('there is no source');
    const options = { rule, target: join(folder.path, 'done'), timestamp: 0, shared: new Set<string>() };
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
  const source = await scanSourceAt(folder.rule(), path);
  if (source) return source;
  await folder.put('stand-in.tif');
  const other = await scanSourceAt(folder.rule(), 'stand-in.tif');
  if (!other) throw new Error('there is no source');
  return other;
}
