import { expect, it } from 'vitest';
import { createKnownAccounts } from '../../../main/account/known-accounts.ts';
import { accountIdOf } from '../../../main/account/model/model.ts';
import { accountTitle } from '../../../shared/accounts.ts';
import { settingsInMemory } from './stand-ins.ts';

const firstUrl = 'https://api.example';
const secondUrl = 'https://tiles.example';
const neverSignedIn = () => false;
const everyone = () => true;

it('the account of a sign-in is the service’s first one, as in earlier versions, while the service has none', () => {
  const accounts = createKnownAccounts(settingsInMemory());
  accounts.recordSignIn(accountIdOf(secondUrl), secondUrl);
  expect(accounts.idFor(firstUrl, undefined, everyone)).toBe(accountIdOf(firstUrl));
});

it('the account of a sign-in is the only signed-out account, or a new one while it is signed in', () => {
  const accounts = createKnownAccounts(settingsInMemory());
  accounts.recordSignIn('a', firstUrl);
  expect(accounts.idFor(firstUrl, undefined, neverSignedIn)).toBe('a');
  expect(accounts.idFor(firstUrl, undefined, everyone)).toMatch(/^[0-9a-f]{16}$/);
});

it('the account of a sign-in is never guessed from several, whose uploads may be someone else’s', () => {
  const accounts = createKnownAccounts(settingsInMemory());
  accounts.recordSignIn('a', firstUrl);
  accounts.recordSignIn('b', firstUrl);
  const ids = [
    accounts.idFor(firstUrl, undefined, neverSignedIn),
    accounts.idFor(firstUrl, undefined, neverSignedIn),
  ];
  expect(new Set(['a', 'b', ...ids]).size).toBe(4);
  expect(accounts.idFor(firstUrl, 'b', neverSignedIn)).toBe('b');
});

it('the account of a sign-in is refused when it belongs to another service or is unknown', () => {
  const accounts = createKnownAccounts(settingsInMemory());
  accounts.recordSignIn('a', firstUrl);
  for (const id of ['a', 'x'])
    expect(() => accounts.idFor(secondUrl, id, neverSignedIn)).toThrow(
      expect.objectContaining({ code: 'not-signed-in' }),
    );
});

it('stored accounts are numbered by service and keep their names until forgotten', () => {
  const accounts = createKnownAccounts(settingsInMemory());
  accounts.recordSignIn('a', firstUrl);
  accounts.recordSignIn('b', secondUrl);
  accounts.recordSignIn('c', firstUrl);
  expect(accounts.list().map((item) => accountTitle(item, 'Service'))).toEqual([
    'Service',
    'Service',
    'Service (2)',
  ]);
  accounts.rename('c', 'Field crew');
  accounts.recordSignOut('c');
  expect(accounts.list()[2]).toMatchObject({ id: 'c', name: 'Field crew', signedOut: true });
  accounts.recordSignIn('c', firstUrl);
  expect(accounts.list()[2]).toMatchObject({ name: 'Field crew', signedOut: false });
  accounts.forget('a');
  accounts.recordSignIn('d', firstUrl);
  expect(accounts.list().map(({ id, number }) => [id, number])).toEqual([
    ['b', 1],
    ['c', 2],
    ['d', 3],
  ]);
});

it('stored accounts adopt accounts with tokens that the settings lack, once', () => {
  const accounts = createKnownAccounts(settingsInMemory());
  for (const _again of [1, 2]) accounts.adopt([{ id: 'x', baseUrl: firstUrl }]);
  expect(accounts.list().map(({ id, signedOut: isSignedOut }) => [id, isSignedOut])).toEqual([['x', false]]);
});

it('stored accounts skip one that this version can’t read', () => {
  const validAccount = { id: 'a', baseUrl: firstUrl, name: null, number: 1, signedOut: false };
  const settings = settingsInMemory({ accounts: [validAccount, { ...validAccount, number: 'x' } as never] });
  expect(createKnownAccounts(settings).list()).toEqual([validAccount]);
});
