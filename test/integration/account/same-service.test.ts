import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountService } from '../../../main/account/model/model.ts';
import { allowInBrowser } from '../../service/person.ts';
import { type Computer, setUpComputer } from './signed-in.ts';

/** One service with accounts of the office and of the field crew. */
let computer: Computer;
let account: AccountService;
/** The account that the browser is signed in with. */
let person = 'Office';
let office: string;
let crew: string;
beforeEach(async () => {
  computer = await setUpComputer({ accountName: 'Office', furtherAccounts: ['Field crew'] });
  account = launch();
  office = await signInAs('Office');
  crew = await signInAs('Field crew');
});
afterEach(() => computer.tearDown());

function launch(): AccountService {
  const launched: AccountService = computer.launch({
    openBrowser: async (page) => launched.handleCallback(await allowInBrowser(page, fetch, person)),
  }).account;
  return launched;
}
const current = () => {
  const state = account.state();
  return state.kind === 'signed-in' ? state.account.id : state.kind;
};
async function signInAs(name: string, accountId?: string): Promise<string> {
  person = name;
  await account.signIn(computer.address, accountId);
  return current();
}
const control = () => computer.service.control;
const body = (name: string) => ({ name, type: '3DTILES' as const, options: { sourceType: 'CITYGML' } });
const namesOf = async (id: string) => (await account.serviceFor(id).listAssets()).map(({ name }) => name);
const lose = async (name: string, id: string) => {
  control().expireAccessTokens(name);
  control().revokeRefreshTokens(name);
  await expect(account.serviceFor(id).listAssets()).rejects.toThrow();
};

it('S14: two accounts of one service create with their own tokens and list their own assets', async () => {
  expect(office).toBe(computer.accountId);
  expect(crew).not.toBe(office);
  const api = { office: account.serviceFor(office), crew: account.serviceFor(crew) };
  const [officeAsset, crewAsset] = await Promise.all([
    api.office.createAsset(body('Town')),
    api.crew.createAsset(body('Flight')),
  ]);
  expect(control().ownerOf(officeAsset.asset.id)).toBe('Office');
  expect(control().ownerOf(crewAsset.asset.id)).toBe('Field crew');
  expect(await namesOf(office)).toEqual(['Town']);
  expect(await namesOf(crew)).toEqual(['Flight']);
  await expect(api.crew.readAsset(officeAsset.asset.id)).rejects.toMatchObject({ code: 'asset-not-found' });
});

it('two accounts of one service: restores both after a restart by name, with the same one shown', async () => {
  account.rename(crew, 'Crew');
  account.stop();
  account = launch();
  await account.start();
  expect(current()).toBe(crew);
  expect(account.accounts().map(({ id, name, number }) => [id, name, number])).toEqual([
    [office, null, 1],
    [crew, 'Crew', 2],
  ]);
});

it('two accounts of one service restore a lost sign-in as the same account without affecting the other', async () => {
  await lose('Field crew', crew);
  expect(account.signedOutAccounts()).toMatchObject([{ id: crew, number: 2, isLost: true }]);
  expect(current()).toBe(office);
  expect(await namesOf(office)).toEqual([]);
  expect(await signInAs('Field crew', crew)).toBe(crew);
  expect(account.signedOutAccounts()).toEqual([]);
  expect(account.accounts()).toHaveLength(2);
});

it('S15: two accounts of one service never replace each other: a sign-in without an account name adds one', async () => {
  await lose('Field crew', crew);
  const third = await signInAs('Field crew');
  expect([office, crew]).not.toContain(third);
  expect(account.signedOutAccounts()).toMatchObject([{ id: crew }]);
});

it('two accounts of one service store a sign-in’s result in its own account, whichever is current', async () => {
  const waitingAccount = computer.launch().account;
  await waitingAccount.start();
  person = 'Office';
  await waitingAccount.signIn(computer.address, office);
  waitingAccount.stop();
  // The callback starts another run.
  account.stop();
  account = launch();
  await account.start();
  await account.handleCallback(await allowInBrowser(computer.links.at(-1) ?? '', fetch, 'Office'));
  expect(current()).toBe(office);
  expect(account.accounts()).toHaveLength(2);
});

it('two accounts of one service: removes an account with its tokens on request only', async () => {
  account.signOut(crew);
  expect(account.signedOutAccounts()).toMatchObject([{ id: crew, isLost: false }]);
  account.forget(crew);
  expect(account.signedOutAccounts()).toEqual([]);
  await expect(account.serviceFor(crew).listAssets()).rejects.toMatchObject({ code: 'not-signed-in' });
  expect(await signInAs('Field crew')).not.toBe(crew);
});
