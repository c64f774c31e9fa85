import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accountIdOf } from '../../../main/account/model/model.ts';
import type { Tilelift } from '../../../main/app.ts';
import { noPolicy, type PolicyState } from '../../../main/policy/policy.ts';
import type { Fetch } from '../../../main/ports.ts';
import { errorAdvice } from '../../../renderer/say.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { settingsInMemory } from '../../unit/account/stand-ins.ts';
import { composeForTest } from '../compose-for-test.ts';

let service: EmbeddedService;
let folder: string;
let settings: ReturnType<typeof settingsInMemory>;
let tilelift: Tilelift | null = null;

beforeEach(async () => {
  service = await startEmbeddedService({ tilingMs: 30 });
  folder = temporaryFolder();
  settings = settingsInMemory();
});
afterEach(async () => {
  await tilelift?.stop();
  tilelift = null;
  await service.stop();
});

/**
 * The embedded storage under a name of this computer that isn't a loopback name, so Tilelift treats it as a
 * remote host.
 */
const otherAddress = '[::ffff:127.0.0.1]';

/** The embedded service, treated as a remote one. */
const onTheInternet = 'https://api.tiles.example';
const byItsPublicName: Fetch = async (input, init) => {
  const answer = await fetch(String(input).replace(onTheInternet, service.baseUrl), init);
  const text = (await answer.text()).replaceAll(service.baseUrl, onTheInternet);
  return new Response(text, { status: answer.status, headers: answer.headers });
};

const namingStorageElsewhere: Fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const text = await answer.text();
  const changed = text.replace(/("endpoint":"http:\/\/)127\.0\.0\.1/, `$1${otherAddress}`);
  return new Response(changed, { status: answer.status, headers: answer.headers });
};

/** Runs one job for a service whose storage is remote and unencrypted. */
async function upload(
  policy: PolicyState,
  { fetch = namingStorageElsewhere, baseUrl = service.baseUrl, authUrl = service.authUrl } = {},
) {
  const composed = composeForTest(join(folder, 'user-data'), { fetch, settings, policy });
  tilelift = composed;
  await composed.start();
  const token = service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']);
  await composed.accounts.useAccessToken({ baseUrl, authUrl }, token);
  const source = join(folder, 'Town');
  await mkdir(source, { recursive: true });
  await writeFile(join(source, 'town.gml'), '<CityModel/>');
  const id = composed.jobs.add({
    accountId: accountIdOf(baseUrl),
    paths: [source],
    body: { name: 'Town', type: '3DTILES', options: { sourceType: 'CITYGML' } },
    acceptForecast: false,
  });
  const expectStatus = (status: string) =>
    expect.poll(() => composed.jobs.get(id)?.status, { timeout: 10_000 }).toBe(status);
  return { jobs: composed.jobs, id, reaches: expectStatus };
}

const toStorage = () => service.control.requests().filter(({ room }) => room === 'storage');
const policyOf = (plainHttp: boolean): PolicyState => ({
  kind: 'in-force',
  path: '/etc/tilelift/policy.json',
  policy: { storage: { plainHttp } },
});

it('S32: unencrypted storage: receives no byte, the job suggests a remedy, and the same asset gets its files once the service is allowed', async () => {
  const { jobs, id, reaches: expectStatus } = await upload(noPolicy);
  await expectStatus('failed');
  expect(jobs.get(id)?.error).toMatchObject({ code: 'storage-plain' });
  const error = jobs.get(id)?.error;
  expect(error && errorAdvice(error)).toContain('Settings');
  expect(toStorage()).toEqual([]);

  settings.update({ plainStorage: [service.baseUrl] });
  await jobs.act(id, 'try-again');
  await expectStatus('complete');
  expect(service.control.assets()).toHaveLength(1);
});

it('unencrypted storage: receives no byte if only another service is allowed', async () => {
  settings.update({ plainStorage: ['https://api.another.example'] });
  const { reaches: expectStatus } = await upload(noPolicy);
  await expectStatus('failed');
  expect(toStorage()).toEqual([]);
});

it('unencrypted storage: uploads to that of any service if the administrator allows it', async () => {
  const { reaches: expectStatus } = await upload(policyOf(true));
  await expectStatus('complete');
});

it('S33: unencrypted storage: refuses it if the administrator forbids it, whatever the user has allowed', async () => {
  settings.update({ plainStorage: [service.baseUrl] });
  const { reaches: expectStatus } = await upload(policyOf(false));
  await expectStatus('failed');
  expect(toStorage()).toEqual([]);
});

it.each([
  ['the user', noPolicy],
  ['the administrator', policyOf(true)],
])(
  'S34: storage on this computer: receives no byte for a service on the internet, although %s allows unencrypted storage',
  async (_, policy) => {
    settings.update({ plainStorage: [onTheInternet] });
    const {
      jobs,
      id,
      reaches: expectStatus,
    } = await upload(policy, { fetch: byItsPublicName, baseUrl: onTheInternet, authUrl: onTheInternet });
    await expectStatus('failed');
    expect(jobs.get(id)?.error).toMatchObject({ code: 'storage-private', subject: service.storageUrl });
    expect(toStorage()).toEqual([]);
  },
);
