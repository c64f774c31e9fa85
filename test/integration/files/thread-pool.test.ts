import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type LentThread, ThreadPool, type ThreadPoolOptions } from '../../../main/files/thread-pool.ts';

/** Answers with the number of its thread. `die` exits at once, `throw` fails with an error. */
const file = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message === 'die') process.exit(7);
      if (message === 'throw') throw new Error('thrown');
      if (message === 'die soon') setTimeout(() => process.exit(7), 20);
      parentPort.postMessage(threadId);
    });
  `)}`,
);

const patience = { timeout: 10_000, interval: 5 };

const poolOf = (options: Partial<ThreadPoolOptions> = {}) =>
  new ThreadPool({ worker: { execArgv: [] }, ...options });

/** A thread of the pool, and its messages. */
function takeThread(pool: ThreadPool) {
  const threadIds: number[] = [];
  const endedThreads: unknown[] = [];
  const lentThread: LentThread = pool.take<number>(file, {
    message: (id) => threadIds.push(id),
    error: (error) => endedThreads.push(error.message),
    exit: (code) => endedThreads.push(code),
  });
  const ask = async (message = 'who') => {
    const previousCount = threadIds.length;
    lentThread.post(message);
    await vi.waitFor(() => expect(threadIds.length).toBeGreaterThan(previousCount), patience);
    return threadIds.at(-1);
  };
  return { lent: lentThread, heard: threadIds, ends: endedThreads, ask };
}

it('the thread pool reuses a returned thread', async () => {
  const pool = poolOf();
  const firstThread = takeThread(pool);
  const id = await firstThread.ask();
  firstThread.lent.giveBack();
  const secondThread = takeThread(pool);
  expect(await secondThread.ask()).toBe(id);
  expect([firstThread.lent.isProven, secondThread.lent.isProven]).toEqual([false, true]);
  // The first task ignores later messages.
  expect(firstThread.heard).toEqual([id]);
  secondThread.lent.end();
});

it('the thread pool keeps an idle thread longer if another task is expected', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = poolOf({ idleMs: 10_000 });
  pool.prepare(file);
  for (let times = 0; times < 3; times++) {
    vi.advanceTimersByTime(9_000);
    pool.prepare(file);
  }
  expect(pool.waitingCount).toBe(1);
  vi.advanceTimersByTime(9_000);
  expect(pool.waitingCount).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(pool.waitingCount).toBe(0);
});

it('the thread pool starts a thread ahead once, and hides it until it has run a task', async () => {
  const pool = poolOf();
  pool.prepare(file);
  pool.prepare(file);
  expect(pool.waitingCount).toBe(1);
  const { lent: lentThread, ask } = takeThread(pool);
  expect([pool.waitingCount, lentThread.isProven]).toEqual([0, false]);
  expect(await ask()).toBeGreaterThan(0);
  lentThread.end();
});

it('the thread pool starts as many threads ahead as requested, counting idle ones', () => {
  const pool = poolOf();
  pool.prepare(file, 2);
  pool.prepare(file, 3);
  expect(pool.waitingCount).toBe(3);
  pool.prepare(file);
  expect(pool.waitingCount).toBe(3);
  for (let lentCount = 0; lentCount < 3; lentCount++) takeThread(pool).lent.end();
});

it('the thread pool runs each task on its own thread', async () => {
  const pool = poolOf();
  const bothThreads = [takeThread(pool), takeThread(pool)];
  const [firstThread, secondThread] = await Promise.all(bothThreads.map(({ ask }) => ask()));
  expect(firstThread).not.toBe(secondThread);
  for (const { lent: lentThread } of bothThreads) lentThread.end();
});

it.each(['die', 'throw'])(
  'the thread pool rejects only the task whose thread must %s, and starts another',
  async (deathKind) => {
    const pool = poolOf();
    const [brokenThread, soundThread] = [takeThread(pool), takeThread(pool)];
    const id = await brokenThread.ask();
    brokenThread.lent.post(deathKind);
    await vi.waitFor(() => expect(brokenThread.ends.at(-1)).toBe(deathKind === 'die' ? 7 : 1), patience);
    expect(await soundThread.ask()).not.toBe(id);
    expect(soundThread.ends).toEqual([]);
    soundThread.lent.end();
    const nextThread = takeThread(pool);
    expect(await nextThread.ask()).not.toBe(id);
    nextThread.lent.end();
  },
);

it('the thread pool doesn’t reuse a thread that died while idle', async () => {
  const pool = poolOf();
  const { lent: lentThread, ask } = takeThread(pool);
  await ask('die soon');
  lentThread.giveBack();
  expect(pool.waitingCount).toBe(1);
  await vi.waitFor(() => expect(pool.waitingCount).toBe(0), patience);
  const nextThread = takeThread(pool);
  expect(nextThread.lent.isProven).toBe(false);
  await nextThread.ask();
  nextThread.lent.end();
});

it('the thread pool stops a thread after an idle period', async () => {
  const pool = poolOf({ idleMs: 50 });
  const { lent: lentThread, ask } = takeThread(pool);
  await ask();
  lentThread.giveBack();
  await vi.waitFor(() => expect(pool.waitingCount).toBe(0), patience);
});

it('the thread pool doesn’t keep the process alive by idle threads', async () => {
  const address = new URL('../../../main/files/thread-pool.ts', import.meta.url);
  const script = `
      const { ThreadPool } = await import(${JSON.stringify(address.href)});
      const pool = new ThreadPool({ worker: { execArgv: [] }, idleMs: 3_600_000 });
      const nothing = () => {};
      const message = () => lent.giveBack();
      const lent = pool.take(new URL(${JSON.stringify(file.href)}), { message, error: nothing, exit: nothing });
      lent.post('who');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('the thread pool limits the number of threads', async () => {
  const pool = poolOf({ maxIdle: 1 });
  const bothThreads = [takeThread(pool), takeThread(pool)];
  const ids = await Promise.all(bothThreads.map(({ ask }) => ask()));
  for (const { lent: lentThread } of bothThreads) lentThread.giveBack();
  expect(pool.waitingCount).toBe(1);
  const nextThread = takeThread(pool);
  expect(await nextThread.ask()).toBe(ids[1]);
  nextThread.lent.end();
});
