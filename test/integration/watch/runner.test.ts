import fs from 'node:fs';
import { rename } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFindWriter } from '../../../main/files/open-for-writing.ts';
import { createInspectionThread } from '../../../main/inspect/headers/inspection-thread.ts';
import { createInspector } from '../../../main/inspect/session/inspector.ts';
import { openDatabase } from '../../../main/jobs/journal/database.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { finishMoves, moveSource } from '../../../main/watch/finish/move-source.ts';
import { SourceRetries, type SourceRetriesOptions } from '../../../main/watch/finish/source-retries.ts';
import { ScanQueue } from '../../../main/watch/model/scheduling.ts';
import { RuleRunner, type RunnerOptions } from '../../../main/watch/runner.ts';
import { scanSourceAt } from '../../../main/watch/scan/scan-rule.ts';
import { SourceFindings } from '../../../main/watch/settle/source-findings.ts';
import { Contents } from '../../../main/watch/state/contents.ts';
import { createLedger, type Ledger } from '../../../main/watch/state/ledger/ledger.ts';
import { tiff } from '../../deliveries/data.ts';
import { saidLines } from '../../said.ts';
import { fastTiming } from './fixture.ts';
import { createWatchedFolder, type WatchedFolder } from './watched-folder.ts';

type Parts = RunnerOptions['parts'];

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
const leases: RunnerOptions['leases'] = {
  acquire: async () => ({ kind: 'ours' }),
  renew: async () => true,
  writes: () => false,
};
const partsWith = (more: Partial<Parts> = {}): Parts => ({
  ledger,
  jobs: jobs as unknown as Parts['jobs'],
  clock: systemClock,
  log: silentLog,
  onChange: () => {},
  rules: () => [],
  ruleOf: () => undefined,
  ...more,
});

type Life = RunnerOptions['life'];

function run(
  { makeJob, retryDue = async () => null }: Partial<Life['retries']> & Pick<Life['maker'], 'makeJob'>,
  timing = fastTiming,
  findWriter = createFindWriter(),
  parts = partsWith(),
): RuleRunner {
  runner = new RuleRunner({
    rule: folder.rule(),
    parts,
    timing,
    scanning: { worker: undefined, inspectionThread, queue: new ScanQueue(), onScanned: () => {} },
    checks: {
      ...{ inspector, findWriter },
      findings: new SourceFindings({ inspector, onDone: (_, path) => runner?.wasInspected(path) }),
      contents: new Contents({ ledger, jobs: jobs as unknown as Parts['jobs'] }),
    },
    life: {
      maker: { mayMake: () => true, makeJob },
      retries: { hasOwnJob: async () => false, retryDue },
      ends: { moveLate: async () => {} },
    },
    ...{ leases, refuseFolder: async () => null },
  });
  runner.start();
  return runner;
}

/** Retries due sources; `followed` collects the jobs that are resumed. */
function retryWith(changes: Partial<SourceRetriesOptions>, followed: string[] = []): Promise<number | null> {
  const retries = new SourceRetries({
    parts: partsWith(),
    leases,
    follower: { hasSlot: () => true, follow: (id) => void followed.push(id) },
    restored: { check: async () => {} },
    runnerOf: () => undefined,
    random: () => 0.5,
    worker: undefined,
    ...changes,
  });
  return retries.retryDue(folder.rule());
}

const rounds = (path: string) => vi.waitFor(() => expect(taken).toContain(path), { timeout: 20_000 });
let taken: string[] = [];
beforeEach(() => {
  taken = [];
});
const makeJob: Life['maker']['makeJob'] = async (_rule, { path }) => {
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
  const checked: number[] = [];
  run({ makeJob }, fastTiming, async ({ files }) => {
    checked.push(files.length);
    return null;
  });
  await vi.waitFor(() => expect(taken).toHaveLength(300), { timeout: 100_000 });
  // Sources that settle in small rounds are checked one by one.
  expect(checked.length).toBeLessThan(450);
});

it('picks up the next source after a failure and logs why the failed one waits', async () => {
  await folder.put('a.tif', 'b.tif');
  const watching = run({
    makeJob: async (rule, source, isRetry) => {
      if (source.path === 'a.tif') throw new Error('no such luck');
      return makeJob(rule, source, isRetry);
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
  const parts = partsWith({ log: { ...silentLog, warn } });
  const watching = run({ makeJob, retryDue }, fastTiming, undefined, parts);
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
    const watching = run({ makeJob }, { ...fastTiming, unheardScanMs: 200 });
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

it('scans again after its usual interval although the computer slept during a scan', async () => {
  await folder.put('a.tif');
  let sleptMs = 0;
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + sleptMs };
  const { find } = ledger;
  const sleepOnce: typeof find = (...parameters) => {
    sleptMs = 8 * 3_600_000;
    return find.apply(ledger, parameters);
  };
  const timing = { ...fastTiming, scanMs: { local: 500, network: 500 } };
  const parts = partsWith({ clock, ledger: Object.assign(ledger, { find: sleepOnce }) });
  run({ makeJob }, timing, createFindWriter(), parts);
  await rounds('a.tif');
  await folder.put('b.tif');
  await rounds('b.tif');
});

it('picks up a settling source immediately when a person asks', async () => {
  const timing = { ...fastTiming, settleMs: { local: 3_600_000, network: 3_600_000 } };
  await folder.put('a.tif');
  const watching = run({ makeJob }, timing);
  await vi.waitFor(() => expect(watching.isAwaited('a.tif')).toBe(true));
  watching.uploadNow('a.tif');
  await rounds('a.tif');
});

it('marks a vanished source as gone instead of retrying it endlessly', async () => {
  await folder.put('empty/.keep.tmp');
  ledger.take('rule', { ...(await theSource('empty')), path: 'empty', files: [] }, 'job', 1, false);
  ledger.change('rule', 'empty', { state: 'waits-for-retry', retryAt: 0 });
  const rescan = vi.fn();
  expect(await retryWith({ runnerOf: () => ({ isAwaited: () => false, rescan }) })).toBeNull();
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
  const parts = partsWith({ jobs: { ...jobs, get: () => job } as unknown as Parts['jobs'] });
  await retryWith({ parts, leases: { ...leases, renew: async () => answers.shift() ?? true } }, followed);
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
  const parts = partsWith({ jobs: { ...jobs, get: () => job, act } as unknown as Parts['jobs'] });
  await retryWith({ parts, leases: { ...leases, renew: async () => false } });
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
