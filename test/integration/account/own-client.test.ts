import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { redirectUri } from '../../../main/account/model/model.ts';
import { allowInBrowser } from '../../service/person.ts';
import { type Computer, setUpComputer } from './signed-in.ts';

let computer: Computer;
let documents: Server;
let documentAddress: string;
let documentIsThere = true;
beforeEach(async () => {
  computer = await setUpComputer({
    dashboardClients: [{ id: 4711, name: 'Survey office', redirectUris: [redirectUri] }],
  });
  documentIsThere = true;
  documents = createServer((_request, response) => {
    const body = { client_id: documentAddress, client_name: 'Tilelift', redirect_uris: [redirectUri] };
    response.writeHead(documentIsThere ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve));
  documentAddress = `http://127.0.0.1:${(documents.address() as AddressInfo).port}/tilelift.json`;
});
afterEach(async () => {
  await computer.tearDown();
  documents.closeAllConnections();
  await new Promise((resolve) => documents.close(resolve));
});

async function signInAs(clientId: string) {
  computer.settings.update({ clientIds: { [computer.address.baseUrl]: clientId } });
  const { account } = computer.launch();
  await account.start();
  await account.signIn(computer.address);
  const link = computer.links.at(-1) ?? 'no page was opened';
  expect(new URL(link).searchParams.get('client_id')).toBe(clientId);
  await account.handleCallback(await allowInBrowser(link));
  return account;
}

it.each([
  ['a dashboard number', () => '4711'],
  ['the address of a client metadata document', () => documentAddress],
])('user’s own client ID: signs in and refreshes as %s without registration', async (_, clientId) => {
  const account = await signInAs(clientId());
  expect(account.state().kind).toBe('signed-in');
  computer.service.control.expireAccessTokens();
  expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
  expect(computer.requestsAt('/oauth/token')).toHaveLength(2);
  expect(computer.requestsAt('/oauth/register')).toEqual([]);
});

it('user’s own client ID: keeps the sign-in while its metadata document is unavailable', async () => {
  const account = await signInAs(documentAddress);
  documentIsThere = false;
  computer.service.control.expireAccessTokens();
  await expect(account.serviceFor(computer.accountId).listAssets()).rejects.toMatchObject({
    code: 'client-unknown',
    retryable: true,
  });
  expect(account.state().kind).toBe('signed-in');
  documentIsThere = true;
  expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
});

it('user’s own client ID: refreshes with the ID that received the tokens after the setting changed', async () => {
  const account = await signInAs('4711');
  computer.settings.update({ clientIds: {} });
  computer.service.control.expireAccessTokens();
  expect(await account.serviceFor(computer.accountId).listAssets()).toEqual([]);
});
