import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import { actionsFor } from '../../../../main/jobs/actions.ts';
import { openJournalOrRescue } from '../../../../main/jobs/journal/journal-rescue.ts';
import type { JobService, JobSnapshot } from '../../../../main/jobs/model.ts';
import type { JobState } from '../../../../main/jobs/state.ts';
import { silentLog } from '../../../../main/log.ts';
import { createLedger } from '../../../../main/watch/state/ledger/ledger.ts';
import { isRefusal } from '../../../../main/watch/state/source-state.ts';
import { createWatchService } from '../../../../main/watch/watch-service.ts';
import { errorTable } from '../../../../shared/errors.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { fastTiming, movableClock, ruleOn, settingsInMemory } from '../fixture.ts';

const dayMs = 25 * 60 * 60_000;
const codes = Object.keys(errorTable) as ErrorCode[];

/** Fakes a job service: each attempt gets its error code from the name of its source. */
function playedJobs(now: () => number) {
  const jobs = new Map<string, JobSnapshot>();
  const listeners = new Set<(id: string) => void>();
  /** Number of assets by source. */
  const assets = new Map<string, number>();
  let assetId = 0;

  function fail(id: string, name: string): void {
    const error = toErrorRecord(new TileliftError(name as ErrorCode));
    const asset = { id: assetId, createdAt: 0, credentialsEndAt: 0, onComplete: {} as never };
    const was = { kind: 'uploading', scan: { files: 1, bytes: 1, parts: 1 }, asset } as const;
    const status = name === 'credentials-expired' ? 'expired' : 'failed';
    const state: JobState = { kind: status, was, at: now(), error };
    const ended = { status, error, endedAt: now(), actions: actionsFor(state) };
    jobs.set(id, { ...(jobs.get(id) as JobSnapshot), ...ended } as JobSnapshot);
    for (const listener of listeners) listener(id);
  }

  const service = {
    add: (
      { paths, accountId }: { paths: readonly string[]; accountId: string },
      alongside: (id: string) => void,
    ) => {
      const id = randomUUID();
      alongside(id);
      const name = (paths[0] ?? '').split('/').at(-1) ?? '';
      assets.set(name, (assets.get(name) ?? 0) + 1);
      assetId += 1;
      const facts = { id, accountId, paths, assetId, uploadedAt: null, waitingFor: null, byRule: true };
      jobs.set(id, { ...facts, status: 'uploading', endedAt: null, bytesDone: 0 } as unknown as JobSnapshot);
      setImmediate(() => fail(id, name));
      return id;
    },
    get: (id: string) => jobs.get(id),
    act: async (id: string) => setImmediate(() => fail(id, jobs.get(id)?.paths[0]?.split('/').at(-1) ?? '')),
    forecast: () => null,
    sentFiles: () => [],
    onChange: (listener: (id: string) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    accountsChanged: () => {},
  };
  return { service: service as unknown as JobService, assets };
}

it('creates at most two assets per source until a person decides, whatever fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-assets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const journalPath = join(folder, 'journal.db');
  const { journal, database } = openJournalOrRescue(journalPath, Date.now());
  const ledger = createLedger(database, journalPath);
  const clock = movableClock();
  const { service, assets } = playedJobs(clock.now);
  const watch = createWatchService({
    ...{ jobs: service, ledger, ledgerIsWhole: true, clock, random: () => 0.5, log: silentLog },
    settings: settingsInMemory(),
    accounts: {
      isReady: () => true,
      nameOf: (id) => id,
      serviceOf: () => 'https://service',
      readAsset: async () => Promise.reject(new TileliftError('asset-not-found')),
    },
    owner: { instance: randomUUID(), machine: 'one', host: 'office', pid: process.pid },
    timing: fastTiming,
  });
  await watch.start();
  onTestFinished(async () => {
    await watch.stop();
    journal.close();
  });

  // A storage refusal pauses its whole rule, so each such code has its own rule.
  const refused = codes.filter((code) => isRefusal(toErrorRecord(new TileliftError(code))));
  const groups = [codes.filter((code) => !refused.includes(code)), ...refused.map((code) => [code])];
  const rules = await Promise.all(
    groups.map(async (group, index) => {
      const incoming = join(folder, `in-${index}`);
      for (const code of group) {
        await mkdir(join(incoming, code), { recursive: true });
        await writeFile(join(incoming, code, 'a.jpg'), jpeg(`the bytes of ${code}`));
      }
      const rule = ruleOn(incoming, { whenExpired: 'start-again' });
      await watch.save(rule, true);
      return rule;
    }),
  );
  const rows = () => rules.flatMap(({ id }) => ledger.list(id, 1_000));
  /** Waits until no source is under way or due. */
  const untilQuiet = () =>
    vi.waitFor(
      () => {
        expect([...assets].filter(([, count]) => count > 2)).toEqual([]);
        const busy = rows().filter(
          ({ state, retryAt }) =>
            state === 'taken' || (state === 'waits-for-retry' && (retryAt ?? 0) <= clock.now()),
        );
        expect(busy.map(({ path, state }) => `${path} ${state}`)).toEqual([]);
        expect(rows()).toHaveLength(codes.length);
      },
      { timeout: 180_000, interval: 50 },
    );
  await untilQuiet();
  for (let round = 0; round < 3; round++) {
    clock.move(dayMs);
    watch.rescanAll('woke');
    await untilQuiet();
  }
  expect(new Set(assets.keys())).toEqual(new Set(codes));
  for (const code of refused) expect([code, assets.get(code)]).toEqual([code, 1]);

  // After two assets, only a person can create another.
  const spent = rows().find(({ path }) => path === 'request-refused');
  expect(spent?.state).toBe('waits-for-person');
  expect(assets.get('request-refused')).toBe(2);
  await watch.act(spent?.ruleId ?? '', 'request-refused', 'try-again');
  await vi.waitFor(() => expect(assets.get('request-refused')).toBe(3), { timeout: 60_000 });
}, 600_000);
