import { expect, it } from 'vitest';
import type { AccountView } from '../../../../preload/contract.ts';
import type { Api } from '../../../../renderer/api.ts';
import { AccountState } from '../../../../renderer/state/account.svelte.ts';

const service = { name: 'Survey', baseUrl: 'https://api.example', authUrl: 'https://example' };
const lostAccount = { id: 'a', name: 'Field crew', service, isLost: true };

it('preferToken() cancels the browser’s sign-in and asks for the token of the same account', async () => {
  let emit: (view: AccountView) => void = () => {};
  const api = {
    on: (_: string, listener: typeof emit) => {
      emit = listener;
      return () => {};
    },
    call: async (name: string) => {
      if (name === 'account.cancel') emit({ kind: 'signed-out', error: null, signedOut: [lostAccount] });
    },
  } as unknown as Api;
  const account = new AccountState(api);
  account.start(() => {});
  emit({ kind: 'starting', service, account: lostAccount.name, beside: [], signedOut: [lostAccount] });
  await account.preferToken();
  expect([account.view?.kind, account.byToken, account.adding]).toEqual(['signed-out', true, true]);
  expect(account.accountToRestore).toEqual(lostAccount);
});
