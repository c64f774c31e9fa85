import { beforeEach, expect, it } from 'vitest';
import { createProxyLogins, type ProxyLogins } from '../../../main/account/proxy-logins.ts';
import { silentLog } from '../../../main/log.ts';
import { type MemoryVault, memoryVault } from './stand-ins.ts';

const office = { host: 'proxy.office:3128', realm: 'Office' };
const wrongLogin = { username: 'me', password: 'old' };
const rightLogin = { username: 'me', password: 'new' };

let now: number;
let vault: MemoryVault;
let logins: ProxyLogins;
beforeEach(() => {
  now = 0;
  vault = memoryVault();
  const clock = { now: () => now, elapsed: () => now, sleep: async () => {} };
  logins = createProxyLogins(vault, clock, silentLog);
});

it('proxy logins ask once for all requests and store the answer in the vault', async () => {
  const answers = [logins.askProxyLogin(office, null), logins.askProxyLogin(office, null)];
  expect(logins.question()).toEqual({ ...office, again: false });
  logins.answer(rightLogin);
  expect(await Promise.all(answers)).toEqual([rightLogin, rightLogin]);
  expect(logins.question()).toBeNull();
  expect([...vault.entries.keys()]).toEqual(['proxy:proxy.office:3128']);
  expect(logins.proxyLogin(office.host)).toEqual(rightLogin);
});

it('proxy logins ask again after a refused login, but not when a newer one is stored', async () => {
  vault.set('proxy:proxy.office:3128', JSON.stringify(wrongLogin));
  expect(await logins.askProxyLogin(office, null)).toEqual(wrongLogin);
  const answer = logins.askProxyLogin(office, wrongLogin);
  expect(logins.question()).toEqual({ ...office, again: true });
  logins.answer(rightLogin);
  expect(await answer).toEqual(rightLogin);
  expect(await logins.askProxyLogin(office, wrongLogin)).toEqual(rightLogin);
  expect(logins.question()).toBeNull();
});

it('proxy logins: don’t ask for five minutes after a refusal by the user', async () => {
  const answer = logins.askProxyLogin(office, null);
  logins.answer(null);
  expect(await answer).toBeNull();
  expect(await logins.askProxyLogin(office, null)).toBeNull();
  now += 5 * 60_000;
  void logins.askProxyLogin(office, null);
  expect(logins.question()).toEqual({ ...office, again: false });
});

it('proxy logins ask for one proxy after the other and notify when the question changes', () => {
  let changes = 0;
  const stop = logins.onChange(() => {
    changes += 1;
  });
  void logins.askProxyLogin(office, null);
  void logins.askProxyLogin({ host: 'other:1', realm: '' }, null);
  logins.answer(rightLogin);
  expect(logins.question()).toMatchObject({ host: 'other:1' });
  expect(changes).toBe(3);
  stop();
});
