import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import type { ServiceApi } from '../../../main/service/model.ts';
import { byTurn } from '../../../shared/queue.ts';
import { body, type House, hasStatus, openHouse, scopes, serviceApi } from './house.ts';

let house: House;
const signedInIds = new Set<string>();

const notSignedIn = () => new TileliftError('not-signed-in', { subject: 'the service' });
const accounts = {
  serviceFor: (accountId: string): ServiceApi => {
    const api = serviceApi(house.service);
    const whileSignedIn =
      <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
      async (...args: Args) => {
        if (!signedInIds.has(accountId)) throw notSignedIn();
        return call(...args);
      };
    return {
      clockAheadMs: api.clockAheadMs,
      listAssets: whileSignedIn(api.listAssets),
      createAsset: whileSignedIn(api.createAsset),
      completeUpload: whileSignedIn(api.completeUpload),
      readAsset: whileSignedIn(api.readAsset),
      readEndpoint: whileSignedIn(api.readEndpoint),
      editAsset: whileSignedIn(api.editAsset),
      deleteAsset: whileSignedIn(api.deleteAsset),
    };
  },
  whyUnready: (accountId: string) => (signedInIds.has(accountId) ? null : notSignedIn()),
};

beforeEach(async () => {
  signedInIds.clear();
  house = await openHouse({}, { accounts });
});
afterEach(() => house.close());

const holdStorage = () =>
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 100_000 },
    action: { kind: 'hold' },
  });
const queue = () =>
  house.jobs
    .list()
    .filter(({ isQueued }) => isQueued)
    .toSorted(byTurn);
const add = (path: string, accountId = 'me') =>
  house.jobs.add({ accountId, paths: [path], body, acceptForecast: false });
const signIn = (accountId: string) => {
  signedInIds.add(accountId);
  house.jobs.wake(accountId);
};
const signOut = (accountId: string) => {
  signedInIds.delete(accountId);
  house.jobs.accountsChanged();
};
const severalIds = async (count: number) => {
  const path = await house.source({ 'a.las': 100 });
  return Array.from({ length: count }, () => add(path));
};
const waitingFacts = {
  status: 'queued',
  waitingFor: 'sign-in',
  isQueued: true,
  error: { code: 'not-signed-in' },
  fileCount: null,
};

it('jobs of a signed-out account wait with the reason and start in their order after the sign-in', async () => {
  const [a = '', b = '', c = ''] = await severalIds(3);
  house.jobs.move([c], a);
  for (const id of [a, b, c]) {
    expect(house.jobs.get(id)).toMatchObject(waitingFacts);
    expect(house.jobs.history(id)).toEqual([]);
  }

  await house.restart();
  expect(queue().map(({ id }) => id)).toEqual([c, a, b]);
  for (const job of queue()) expect(job).toMatchObject(waitingFacts);

  signIn('me');
  const jobs = await Promise.all([c, a, b].map((id) => house.until(id, hasStatus('complete'))));
  const assetIds = house.service.control.assets().map(({ id }) => id);
  expect(jobs.map(({ assetId }) => assetId)).toEqual(assetIds);
});

it('jobs of a signed-out account leave the turn to another account’s jobs', async () => {
  signIn('other');
  const path = await house.source({ 'a.las': 100 });
  const ownId = add(path);
  const otherId = add(path, 'other');

  await house.until(otherId, hasStatus('complete'));
  expect(house.jobs.get(ownId)).toMatchObject(waitingFacts);
});

it('jobs of a signed-out account report it at sign-out while running uploads continue', async () => {
  signIn('me');
  holdStorage();
  const [sending = '', nextId = ''] = await severalIds(2);
  await house.until(sending, hasStatus('uploading'));
  expect(house.jobs.get(nextId)).toMatchObject({ waitingFor: 'turn', error: null });

  signOut('me');
  expect(house.jobs.get(nextId)).toMatchObject(waitingFacts);
  expect(house.jobs.get(sending)).toMatchObject({ status: 'uploading', waitingFor: null, error: null });
  house.service.control.clearFaults();
  await house.until(sending, (job) => job.uploadedAt !== null && job.waitingFor === 'sign-in');
  expect(house.jobs.get(nextId)).toMatchObject(waitingFacts);
});

it('jobs of a signed-out account: pauses and resumes them, and they report it again', async () => {
  const [id = ''] = await severalIds(1);
  await house.jobs.act(id, 'pause');
  expect(house.jobs.get(id)).toMatchObject({ status: 'paused', waitingFor: null, error: null });
  await house.jobs.act(id, 'resume');
  expect(house.jobs.get(id)).toMatchObject(waitingFacts);
});

it('jobs of a signed-out account: don’t all repeat the request that failed for the first', async () => {
  await house.close();
  signedInIds.add('me');
  let granted = ['assets:read'];
  house = await openHouse(
    {},
    { accounts: { ...accounts, serviceFor: () => serviceApi(house.service, granted) } },
  );
  const [firstId = '', secondId = '', third = ''] = await severalIds(3);
  await house.until(firstId, (job) => job.error?.code === 'scope-missing');
  await expect.poll(() => house.jobs.get(secondId)?.error?.code).toBe('scope-missing');
  expect(house.jobs.get(third)).toMatchObject({ ...waitingFacts, error: { code: 'scope-missing' } });

  granted = scopes;
  house.jobs.move([third], secondId);
  house.jobs.wake('me');
  const jobs = await Promise.all(
    [firstId, third, secondId].map((id) => house.until(id, hasStatus('complete'))),
  );
  expect(jobs.map(({ assetId }) => assetId)).toEqual(house.service.control.assets().map(({ id }) => id));
});

it('queue after any additions, moves, sign-ins and restarts: starts the first job whose account is signed in', async () => {
  holdStorage();
  const path = await house.source({ 'a.las': 100 });
  const account = fc.constantFrom('me', 'other', 'third');
  const at = fc.nat({ max: 5 });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ add: account }) },
    { weight: 3, arbitrary: fc.record({ move: at, before: fc.option(at) }) },
    { weight: 1, arbitrary: fc.record({ toggle: at }) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
  );
  let begunCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 10 }),
      account,
      async (steps, readyAccount) => {
        const nth = (index: number | null) => (index === null ? null : (queue()[index]?.id ?? null));
        for (const nextStep of steps) {
          if (nextStep === 'restart') await house.restart();
          else if ('add' in nextStep) add(path, nextStep.add);
          else if ('toggle' in nextStep) {
            const job = queue()[nextStep.toggle];
            if (job) await house.jobs.act(job.id, job.status === 'paused' ? 'resume' : 'pause');
          } else {
            const id = nth(nextStep.move);
            if (id) house.jobs.move([id], nth(nextStep.before));
          }
        }
        const inLine = (job: JobSnapshot) => job.accountId === readyAccount && job.status !== 'paused';
        const firstJob = queue().find(inLine);
        signIn(readyAccount);
        if (firstJob) {
          begunCount += 1;
          await house.until(firstJob.id, hasStatus('uploading'));
        }
        const otherJobs = house.jobs.list().filter(({ id }) => id !== firstJob?.id);
        expect(otherJobs.every(({ status }) => status === 'queued' || status === 'paused')).toBe(true);
        expect(house.service.control.assets()).toHaveLength(begunCount);
        signOut(readyAccount);
        const allIds = house.jobs.list().map(({ id }) => id);
        await house.jobs.actOn(allIds, 'cancel');
        await house.jobs.actOn(allIds, 'remove');
      },
    ),
    { numRuns: 25 },
  );
  expect(begunCount).toBeGreaterThan(5);
});
