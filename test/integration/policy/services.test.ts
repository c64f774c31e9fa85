import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accountIdOf } from '../../../main/account/model/model.ts';
import type { Tilelift } from '../../../main/app.ts';
import { TileliftError } from '../../../main/errors.ts';
import { noPolicy, type PolicyState } from '../../../main/policy/policy.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { allowInBrowser } from '../../service/person.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { settingsInMemory } from '../../unit/account/stand-ins.ts';
import { composeForTest } from '../compose-for-test.ts';

const path = '/etc/tilelift/policy.json';
let [office, otherService]: EmbeddedService[] = [];
let folder: string;
let settings: ReturnType<typeof settingsInMemory>;
let tilelift: Tilelift | null = null;

beforeEach(async () => {
  [office, otherService] = [await startEmbeddedService(), await startEmbeddedService({ tilingMs: 30 })];
  folder = temporaryFolder();
  settings = settingsInMemory();
});
afterEach(async () => {
  await quit();
  await office?.stop();
  await otherService?.stop();
});

const addressOf = (service: EmbeddedService | undefined) => ({
  baseUrl: service?.baseUrl ?? '',
  authUrl: service?.authUrl ?? '',
});
const onlyOffice = (): PolicyState => ({
  kind: 'in-force',
  path,
  policy: { services: { offered: [{ name: 'Office', ...addressOf(office) }], only: true } },
});
const unusable: PolicyState = {
  kind: 'unusable',
  path,
  error: new TileliftError('policy-not-json', { subject: `${path}:3` }),
};
const notAllowed = { code: 'service-not-allowed' };

async function quit(): Promise<void> {
  await tilelift?.stop();
  tilelift = null;
}

/**
 * Starts the program under a policy after ending the previous one. `answers`: the user allows it in the
 * browser.
 */
async function launch(policy: PolicyState, answers = true): Promise<Tilelift> {
  await quit();
  const composed: Tilelift = composeForTest(join(folder, 'user-data'), {
    openBrowser: async (page) => {
      if (answers) await composed.accounts.handleCallback(await allowInBrowser(page));
    },
    settings,
    policy,
  });
  tilelift = composed;
  await composed.start();
  return composed;
}

const requestsTo = (service: EmbeddedService | undefined) => service?.control.requests() ?? [];

const registrationsAt = (service: EmbeddedService | undefined) =>
  requestsTo(service).filter(({ path: requestPath }) => requestPath.startsWith('/oauth/register')).length;

it('policy that allows only the office’s service: rejects a sign-in elsewhere before any request, by browser and token', async () => {
  const { accounts } = await launch(onlyOffice());
  const token = otherService?.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']) ?? '';
  await expect(accounts.signIn(addressOf(otherService))).rejects.toMatchObject(notAllowed);
  await expect(accounts.useAccessToken(addressOf(otherService), token)).rejects.toMatchObject(notAllowed);
  const disguisedService = { ...addressOf(office), authUrl: otherService?.authUrl ?? '' };
  await expect(accounts.signIn(disguisedService)).rejects.toMatchObject(notAllowed);
  expect(requestsTo(otherService)).toEqual([]);
  expect(accounts.state()).toEqual({ kind: 'signed-out', error: null });
  await accounts.signIn(addressOf(office));
  expect(accounts.state()).toMatchObject({ kind: 'signed-in' });
});

it('policy that allows only the office’s service: disables a stored account of another service, reports it, and restores it when allowed', async () => {
  const previousRun = await launch(noPolicy);
  await previousRun.accounts.signIn(addressOf(office));
  await previousRun.accounts.signIn(addressOf(otherService));
  const requestCount = requestsTo(otherService).length;
  const registrationCount = registrationsAt(office);

  const { accounts } = await launch(onlyOffice());
  await expect.poll(() => registrationsAt(office)).toBe(registrationCount + 1);
  const officeId = accountIdOf(office?.baseUrl ?? '');
  const otherId = accountIdOf(otherService?.baseUrl ?? '');
  expect(accounts.state()).toMatchObject({ account: { id: officeId }, error: notAllowed });
  expect(accounts.accounts().map(({ id }) => id)).toEqual([officeId]);
  expect(() => accounts.switchTo(otherId)).toThrow(expect.objectContaining({ code: 'not-signed-in' }));
  expect(() => accounts.serviceFor(otherId)).toThrow(expect.objectContaining(notAllowed));
  expect(requestsTo(otherService)).toHaveLength(requestCount);

  const nextStart = await launch(noPolicy);
  expect(nextStart.accounts.accounts().map(({ id }) => id)).toEqual(
    expect.arrayContaining([officeId, otherId]),
  );
});

it('policy that allows only the office’s service: holds an upload to another service’s storage with its progress until it is allowed', async () => {
  const source = join(folder, 'Town');
  await mkdir(source);
  await writeFile(join(source, 'town.gml'), '<CityModel/>');
  otherService?.control.addFault({ match: { room: 'storage' }, action: { kind: 'hold' } });
  const previousRun = await launch(noPolicy);
  await previousRun.accounts.signIn(addressOf(otherService));
  const id = previousRun.jobs.add({
    accountId: accountIdOf(otherService?.baseUrl ?? ''),
    paths: [source],
    body: { name: 'Town', type: '3DTILES', options: { sourceType: 'CITYGML' } },
    acceptForecast: false,
  });
  const countSent = () => requestsTo(otherService).filter(({ room }) => room === 'storage').length;
  await expect.poll(countSent, { timeout: 20_000 }).toBeGreaterThan(0);
  await quit();
  otherService?.control.clearFaults();
  const requestCount = requestsTo(otherService).length;

  const restricted = await launch(onlyOffice());
  await expect.poll(() => restricted.jobs.get(id)?.waitingFor, { timeout: 20_000 }).toBe('sign-in');
  expect(restricted.jobs.get(id)).toMatchObject({ status: 'uploading', error: notAllowed });
  expect(requestsTo(otherService)).toHaveLength(requestCount);

  const nextStart = await launch(noPolicy);
  await expect.poll(() => nextStart.jobs.get(id)?.status, { timeout: 20_000 }).toBe('complete');
  expect(otherService?.control.assets()).toMatchObject([{ name: 'Town', status: 'COMPLETE' }]);
}, 60_000);

it('policy that allows only the office’s service: doesn’t resume an earlier sign-in to another service', async () => {
  const previousRun = await launch(noPolicy, false);
  await previousRun.accounts.signIn(addressOf(otherService));
  expect(previousRun.accounts.state().kind).toBe('waiting-for-browser');
  const requestCount = requestsTo(otherService).length;
  const { accounts } = await launch(onlyOffice());
  expect(accounts.state().kind).toBe('signed-out');
  expect(requestsTo(otherService)).toHaveLength(requestCount);
});

it('unreadable policy: disables all accounts and sign-ins and says why', async () => {
  const previousRun = await launch(noPolicy);
  await previousRun.accounts.signIn(addressOf(office));
  const requestCount = requestsTo(office).length;
  const { accounts } = await launch(unusable);
  expect(accounts.state()).toMatchObject({ kind: 'signed-out', error: { code: 'policy-not-json' } });
  await expect(accounts.signIn(addressOf(office))).rejects.toMatchObject({ code: 'policy-not-json' });
  expect(requestsTo(office)).toHaveLength(requestCount);
});

it('unreadable policy: stops all watching and keeps the rules', async () => {
  const { watch } = await launch(unusable);
  await expect(watch.save(aWatchRule({ folder }), true)).rejects.toMatchObject({ code: 'policy-not-json' });
  settings.update({ watchRules: [aWatchRule({ folder })] });
  const nextStart = await launch(unusable);
  await expect.poll(() => nextStart.watch.rules()[0]?.state).toBe('paused');
  expect(nextStart.watch.rules()).toMatchObject([
    { notice: { code: 'policy-not-json' }, rule: { on: true } },
  ]);
});
