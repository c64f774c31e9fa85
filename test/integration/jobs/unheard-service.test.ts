import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../main/ports.ts';
import { createServiceClient } from '../../../main/service/service-client.ts';
import type { JobStatus } from '../../../shared/job-status.ts';
import type { FaultAction, FaultMatch } from '../../service/model.ts';
import { type House, hasStatus, historyTexts, hurriedClock, isCreation, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const page = '<html><title>Log in to Hotel Wi-Fi</title></html>';
const status = (code: number, body = '', headers: Readonly<Record<string, string>> = {}): FaultAction => {
  return { kind: 'status', status: code, body, headers };
};

const steps: readonly (readonly [JobStatus, Pick<FaultMatch, 'method' | 'path'>])[] = [
  ['creating', { method: 'POST', path: '^/v1/assets$' }],
  ['completing', { method: 'POST', path: 'uploadComplete' }],
  ['tiling', { method: 'GET', path: '^/v1/assets/\\d+$' }],
];

const api = (
  match: Pick<FaultMatch, 'method' | 'path'>,
  action: FaultAction,
  times = 1000,
  skippedCount = 0,
) => house.service.control.addFault({ match: { room: 'api', ...match, times, after: skippedCount }, action });
const assets = () => house.service.control.assets();
const requestsTo = (path: RegExp) =>
  house.service.control.requests().filter((request) => path.test(request.path));

describe('creating', () => {
  it('creating: leaves no second asset while assets can’t be listed', async () => {
    api({ method: 'POST', path: '^/v1/assets$' }, { kind: 'cut-answer', afterBytes: 0 }, 1);
    api({ method: 'GET', path: '^/v1/assets$' }, status(200, page), 30);
    const id = house.add(await house.source({ 'a.gml': 500 }));

    await house.until(id, () => requestsTo(/^\/v1\/assets$/).length > 25);
    expect(house.service.control.requests().filter(isCreation)).toHaveLength(1);
    await house.until(id, hasStatus('complete'));

    const [orphan] = assets();
    expect(historyTexts(house, id).join()).toContain(`Asset ${orphan?.id} was left behind`);
    expect(assets()).toHaveLength(2);
  });

  it.each([
    ['onComplete.url “https://evil.example/done”', { onComplete: { url: 'https://evil.example/done' } }],
    ['onComplete.method “DELETE”', { onComplete: { method: 'DELETE' } }],
    ['uploadLocation.endpoint “ftp://x”', { uploadLocation: { endpoint: 'ftp://x' } }],
  ])(
    'G16: fails before the first byte if the answer contains %s, and names the asset',
    async (why, change) => {
      await house.close();
      house = await openHouse({}, { accounts: { serviceFor: () => clientWithAnswer(change) } });
      const id = house.add(await house.source({ 'a.gml': 500 }));

      const job = await house.until(id, hasStatus('failed'));

      const [leftAsset] = assets();
      expect(job.error).toMatchObject({
        code: 'creation-unusable',
        subject: String(leftAsset?.id),
        field: expect.stringContaining(why),
      });
      expect(job.error?.remote).toBeUndefined();
      expect(historyTexts(house, id).join()).toContain(`Asset ${leftAsset?.id} was left behind`);
      expect(assets()).toHaveLength(1);
      expect(await house.service.control.objects()).toEqual([]);
    },
  );

  it('creating: waits for another sign-in before the first byte if this one can’t read assets', async () => {
    await house.close();
    let scopes = ['assets:write'];
    house = await openHouse({}, { accounts: { serviceFor: () => clientWith(scopes) } });
    const id = house.add(await house.source({ 'a.gml': 500 }));

    const waitingJob = await house.until(id, (job) => job.waitingFor === 'sign-in');
    expect(waitingJob).toMatchObject({ status: 'uploading', error: { code: 'scope-missing' }, bytesDone: 0 });

    scopes = ['assets:read', 'assets:write'];
    house.jobs.wake('me');
    await house.until(id, hasStatus('complete'));
    expect(assets()).toHaveLength(1);
  });
});

describe('completing and tiling', () => {
  const goneBody = '{"code":"ResourceNotFound","message":"There is no such asset."}';

  it('G3: report the asset as gone after three such answers of the service in a row', async () => {
    const id = house.add(await house.source({ 'a.gml': 500 }));
    api({ method: 'GET', path: '^/v1/assets/\\d+$' }, status(404, goneBody), 1000, 1);

    const job = await house.until(id, hasStatus('failed'));

    expect(job.error?.code).toBe('asset-not-found');
    expect(job.actions).toContain('try-again');
    expect(requestsTo(/^\/v1\/assets\/\d+$/)).toHaveLength(4);
  });
});

it('G8: keeps jobs running when the clock jumps', async () => {
  await house.close();
  let jumpMs = 0;
  const clock = { ...hurriedClock, now: () => Date.now() + jumpMs };
  house = await openHouse({}, { clock });
  for (const [step, match] of steps) {
    jumpMs = 0;
    const requestsAfter = requestsTo(new RegExp(match.path ?? '')).length;
    api(match, status(503), 5);
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(
      id,
      (job) => job.status === step && requestsTo(new RegExp(match.path ?? '')).length > requestsAfter + 1,
    );
    jumpMs = step === 'creating' ? -400 * 24 * 3_600_000 : 400 * 24 * 3_600_000;
    await house.until(id, hasStatus('complete'));
    house.service.control.clearFaults();
  }
  expect(assets()).toHaveLength(3);
});

function clientWith(scopes: readonly string[]) {
  const token = house.service.control.makeAccessToken([...scopes]);
  return createServiceClient({
    address: { baseUrl: house.service.baseUrl, authUrl: house.service.authUrl },
    fetch,
    clock: systemClock,
    bearer: async () => token,
    onInvalidCredentials: null,
  });
}

/** The service, with these fields changed in its answer to creating an asset. */
function clientWithAnswer(change: Readonly<Record<string, object>>) {
  const token = house.service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']);
  return createServiceClient({
    address: { baseUrl: house.service.baseUrl, authUrl: house.service.authUrl },
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (init?.method !== 'POST') return answer;
      const body: Record<string, object> = await answer.json();
      for (const [name, fields] of Object.entries(change)) body[name] = { ...body[name], ...fields };
      return Response.json(body);
    },
    clock: systemClock,
    bearer: async () => token,
    onInvalidCredentials: null,
  });
}
