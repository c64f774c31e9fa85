import { expect, it, onTestFinished } from 'vitest';
import { redirectUri } from '../../../main/account/model/model.ts';
import type { ServiceSettings } from '../../service/model.ts';
import { allowInBrowser } from '../../service/person.ts';
import { setUpComputer } from './signed-in.ts';

/** Services differ if the contract is silent; older ones have the earlier flow (part 9). */
const dashboardClients = [{ id: 4711, name: 'Survey', redirectUris: [redirectUri] }];

async function signIn(settings: Partial<ServiceSettings>, clientId?: string) {
  const computer = await setUpComputer({ ...settings, dashboardClients });
  onTestFinished(() => computer.tearDown());
  if (clientId !== undefined)
    computer.settings.update({ clientIds: { [computer.address.baseUrl]: clientId } });
  computer.service.control.seedAsset({ id: 7, name: 'Ground', type: 'TERRAIN', labels: ['a'] });
  const { account } = computer.launch();
  await account.start();
  await account.signIn(computer.address);
  await account.handleCallback(await allowInBrowser(computer.links.at(-1) ?? 'no page was opened'));
  const list = () => account.serviceFor(computer.accountId).listAssets();
  expect(await list()).toMatchObject([{ id: 7 }]);
  computer.service.control.expireAccessTokens();
  return { account, list };
}

it.each([
  ['names the expiry fields differently', { expiryNames: 'expiresIn' }],
  ['has a path in front of its sign-in page', { signInPath: '/ion/sign-in' }],
] as const)('signs in and stays signed in at a service that %s', async (_, settings) => {
  const { account, list } = await signIn(settings);
  expect(await list()).toMatchObject([{ id: 7 }]);
  expect(account.state().kind).toBe('signed-in');
});

it('signs in at a service of the earlier form as a dashboard client, until the token expires', async () => {
  const { account, list } = await signIn({ flow: 'earlier' }, '4711');
  await expect(list()).rejects.toMatchObject({ code: 'invalid-credentials' });
  expect(account.state().kind).toBe('signed-out');
});
