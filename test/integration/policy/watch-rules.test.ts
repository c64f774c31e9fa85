import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accountIdOf } from '../../../main/account/model/model.ts';
import type { Tilelift } from '../../../main/app.ts';
import { noPolicy, type PolicyState } from '../../../main/policy/policy.ts';
import { readPolicy } from '../../../main/policy/read-policy.ts';
import { policyRuleId } from '../../../main/watch/rules/policy-rules.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { settingsInMemory, testCipher } from '../../unit/account/stand-ins.ts';
import { composeForTest } from '../compose-for-test.ts';
import { fastTiming, movableClock } from '../watch/fixture.ts';

const path = '/etc/tilelift/policy.json';
const id = policyRuleId('office');
let service: EmbeddedService;
let folder: string;
let incomingFolder: string;
let settings: ReturnType<typeof settingsInMemory>;
let cipher: ReturnType<typeof testCipher>;
let tilelift: Tilelift;
let isRunning = false;

beforeEach(async () => {
  service = await startEmbeddedService({ tilingMs: 30 });
  folder = temporaryFolder();
  incomingFolder = join(folder, 'incoming');
  await mkdir(incomingFolder);
  settings = settingsInMemory();
  cipher = testCipher();
});
afterEach(async () => {
  await stop();
  await service.stop();
});

async function stop() {
  if (isRunning) await tilelift.stop();
  isRunning = false;
}

/** Restarts under this policy. */
async function startUnder(policy: PolicyState): Promise<void> {
  await stop();
  tilelift = composeForTest(join(folder, 'user-data'), {
    clock: movableClock(),
    cipher,
    settings,
    policy,
    watchTiming: fastTiming,
  });
  isRunning = true;
  await tilelift.start();
}

async function signIn(): Promise<void> {
  const token = service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']);
  await tilelift.accounts.useAccessToken({ baseUrl: service.baseUrl, authUrl: service.authUrl }, token);
}

const { accountId: _, on: __, ...plain } = aWatchRule({ folder: '/' });
/** A rule in the administrator's notation. */
const ruleWith = (change: object = {}) => ({
  ...plain,
  id: 'office',
  folder: incomingFolder,
  service: service.baseUrl,
  unit: { kind: 'files', patterns: ['*.bin'] },
  ...change,
});
const policyWith = (watchRules: readonly object[], isProtected = true) =>
  readPolicy(
    path,
    async () => ({ text: JSON.stringify({ watchRules }, null, 2), isProtected }),
    async () => null,
  );
const write = (name: string) => writeFile(join(incomingFolder, name), `the bytes of ${name}`);
const rules = () => tilelift.watch.rules();
const rule = () => rules().find((candidate) => candidate.rule.id === id);
const names = () => service.control.assets().map(({ name }) => name);
const patience = { timeout: 20_000, interval: 20 };
const waitUntil = (condition: () => unknown) => expect.poll(condition, patience);
const isTaken = (name: string) =>
  waitUntil(() => tilelift.watch.sources(id).find((source) => source.path === name)?.state).toBe('complete');

it('policy rule: is created at the start, waits for a sign-in to its service, and skips existing files', async () => {
  await write('old.bin');
  await startUnder(await policyWith([ruleWith()]));
  await waitUntil(() => rule()?.notice?.code).toBe('watch-account-missing');
  expect(rule()).toMatchObject({ locked: true, rule: { on: true, accountId: accountIdOf(service.baseUrl) } });
  await signIn();
  await write('new.bin');
  await isTaken('new.bin');
  expect(rule()?.notice).toBeNull();
  expect(names()).toEqual(['new']);
});

it('policy rule: gets the account that signs in if it names no service, and keeps it', async () => {
  await startUnder(await policyWith([ruleWith({ service: undefined })]));
  await waitUntil(() => rules().map(({ notice }) => notice?.code)).toEqual(['policy-rule-no-account']);
  await signIn();
  await waitUntil(() => rule()?.state).toBe('watching');
  expect(rule()?.rule.accountId).toBe(accountIdOf(service.baseUrl));
});

it('policy rule: changes and removes a rule with the policy, and keeps its ledger', async () => {
  await startUnder(await policyWith([ruleWith()]));
  await signIn();
  await waitUntil(() => rule()?.state).toBe('watching');
  await write('one.bin');
  await isTaken('one.bin');

  await startUnder(await policyWith([ruleWith({ name: 'Anew', description: 'By the office' })]));
  await waitUntil(() => rule()?.rule.name).toBe('Anew');
  await write('two.bin');
  await isTaken('two.bin');

  await startUnder(noPolicy);
  await waitUntil(() => rules()).toEqual([]);
  expect(settings.get().watchRules).toEqual([]);

  await startUnder(await policyWith([ruleWith()]));
  await waitUntil(() => rule()?.state).toBe('watching');
  await write('three.bin');
  await isTaken('three.bin');
  expect(tilelift.watch.sources(id).map(({ path: source, state }) => [source, state])).toEqual([
    ['three.bin', 'complete'],
    ['two.bin', 'complete'],
    ['one.bin', 'complete'],
  ]);
  expect(names().toSorted()).toEqual(['one', 'three', 'two']);
});

it('policy rule: pauses with the location of its fault until that is fixed, without affecting other rules', async () => {
  const otherFolder = join(folder, 'beside');
  await mkdir(otherFolder);
  const otherRule = ruleWith({ id: 'beside', folder: otherFolder });
  await startUnder(await policyWith([ruleWith(), otherRule]));
  await signIn();
  await waitUntil(() => rules().map(({ state }) => state)).toEqual(['watching', 'watching']);

  await startUnder(await policyWith([ruleWith({ settleSeconds: 'soon' }), otherRule]));
  await waitUntil(() => rules().map(({ state }) => state)).toEqual(['suspended', 'watching']);
  const fault = expect.stringMatching(
    /watchRules\[0\]\.settleSeconds \(\/etc\/tilelift\/policy\.json:\d+:\d+\)/,
  );
  expect(rule()?.notice).toMatchObject({ code: 'policy-rules-faulty', subject: { names: [fault] } });
  expect(tilelift.notices).toMatchObject([{ code: 'policy-rules-faulty', subject: { names: [fault] } }]);
  await write('meanwhile.bin');
  await writeFile(join(otherFolder, 'beside.bin'), 'the bytes of beside.bin');
  await waitUntil(names).toEqual(['beside']);
  expect(tilelift.watch.sources(id)).toEqual([]);

  await startUnder(await policyWith([ruleWith(), otherRule]));
  await isTaken('meanwhile.bin');
});

it('policy rule: waits for its folder and says so', async () => {
  await rm(incomingFolder, { recursive: true });
  await startUnder(await policyWith([ruleWith()]));
  await waitUntil(() => rule()?.notice?.code).toBe('watch-folder-missing');
  expect(rule()).toMatchObject({ state: 'suspended', locked: true });
  await mkdir(incomingFolder);
  await write('old.bin');
  await waitUntil(() => rule()?.notice?.code).toBe('watch-account-missing');
  expect(tilelift.watch.sources(id)).toMatchObject([{ path: 'old.bin', state: 'skipped' }]);
});

it('S91: policy rule: refuses the user’s changes, pauses and removal of a policy rule', async () => {
  await startUnder(await policyWith([ruleWith()]));
  await waitUntil(() => rule()?.state).toBe('watching');
  const storedRules = settings.get().watchRules;
  const { watch } = tilelift;
  const refusedError = expect.objectContaining({ code: 'set-by-policy', subject: path });
  await expect(watch.save(aWatchRule({ id, folder: incomingFolder }), true)).rejects.toEqual(refusedError);
  expect(() => watch.remove(id)).toThrow(refusedError);
  expect(() => watch.setOn(id, false)).toThrow(refusedError);
  expect(settings.get().watchRules).toEqual(storedRules);
});

it('paused policy rule: ignores the user’s resume while the policy pauses it, but resumes after a lost ledger', async () => {
  await startUnder(await policyWith([ruleWith({ on: false })]));
  await waitUntil(() => rule()?.state).toBe('paused');
  expect(rule()?.mayGoOn).toBe(false);
  expect(() => tilelift.watch.setOn(id, true)).toThrow(expect.objectContaining({ code: 'set-by-policy' }));

  await startUnder(await policyWith([ruleWith()]));
  await waitUntil(() => rule()?.state).toBe('watching');
  await stop();
  await rm(join(folder, 'user-data', 'journal.db'));
  await startUnder(await policyWith([ruleWith()]));
  expect(rule()).toMatchObject({ state: 'paused', mayGoOn: true });
  tilelift.watch.setOn(id, true);
  await waitUntil(() => rule()?.state).toBe('watching');
});

it('S90: policy that others could have written: creates no rule and pauses rules created earlier', async () => {
  await startUnder(await policyWith([ruleWith()], false));
  expect(tilelift.notices).toMatchObject([{ code: 'policy-unprotected' }]);
  expect(rules()).toEqual([]);

  await startUnder(await policyWith([ruleWith()]));
  await waitUntil(() => rule()?.state).toBe('watching');
  await startUnder(await policyWith([ruleWith({ receiptFile: { kind: 'folder', folder: '/tmp' } })], false));
  await waitUntil(() => rule()?.state).toBe('paused');
  expect(rule()).toMatchObject({ rule: { receiptFile: { kind: 'none' } } });
  expect(rule()?.notice?.code).toBe('policy-unprotected');
});
