import { expect, it } from 'vitest';
import { accountView, serviceView } from '../../../../main/ipc/views/views.ts';

const address = { baseUrl: 'https://api.example', authUrl: 'https://sign-in.example' };

it('account views never contain the sign-in link, which carries the state', () => {
  const link = 'https://sign-in.example/oauth?state=secret';
  const waitingState = {
    kind: 'waiting-for-browser',
    address,
    accountId: 'a',
    link,
    returnsByScheme: true,
    endsAt: 5,
    error: null,
  } as const;
  const view = accountView(
    { state: () => waitingState, accounts: () => [], signedOutAccounts: () => [] },
    [],
  );
  expect(JSON.stringify(view)).not.toContain('secret');
  expect(view).toMatchObject({ kind: 'waiting-for-browser', endsAt: 5 });
});

it('account views name accounts whose sign-in was lost, except for services no longer offered', () => {
  const signedOutState = { kind: 'signed-out', error: null } as const;
  const lostAccount = { id: 'b', baseUrl: address.baseUrl, name: null, number: 2, isLost: true };
  const accounts = {
    state: () => signedOutState,
    accounts: () => [],
    signedOutAccounts: () => [lostAccount],
  };
  const service = { name: 'Survey office', ...address };
  const shownAccount = { id: 'b', name: 'Survey office (2)', service, isLost: true };
  expect(accountView(accounts, [service])).toEqual({ ...signedOutState, signedOut: [shownAccount] });
  expect(accountView(accounts, [])).toEqual({ ...signedOutState, signedOut: [] });
});

it('account views name the account of a sign-in and others signed in to the same service', () => {
  const keptAccount = { address, signedInBy: 'browser', endsSoonAt: null } as const;
  const accounts = (accountId: string) => ({
    state: () => ({ kind: 'starting', address, accountId }) as const,
    accounts: () => [
      { ...keptAccount, id: 'a', name: null, number: 1 },
      { ...keptAccount, id: 'b', name: 'Field crew', number: 2 },
      {
        ...keptAccount,
        address: { ...address, baseUrl: 'https://other.example' },
        id: 'c',
        name: null,
        number: 1,
      },
    ],
    signedOutAccounts: () => [],
  });
  expect(accountView(accounts('b'), [])).toMatchObject({ account: 'Field crew', beside: ['api.example'] });
  expect(accountView(accounts('new'), [])).toMatchObject({
    account: null,
    beside: ['api.example', 'Field crew'],
  });
});

it('account views name a service as the user does, else by its host', () => {
  expect(serviceView(address, [{ name: 'Survey office', ...address }]).name).toBe('Survey office');
  expect(serviceView(address, []).name).toBe('api.example');
});
