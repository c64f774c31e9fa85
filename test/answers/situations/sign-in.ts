import type { AccountService } from '../../../main/account/model/model.ts';
import { anybodys } from '../requests.ts';
import type { Situation } from '../situation.ts';
import { eventually, refusalIn, type Stage } from '../stage.ts';

const fewTimes = 2;
const maxSignIns = 20;

/** Signs in as often as necessary. An earlier sign-in stays valid. */
async function signInUntilItWorks(stage: Stage, account: AccountService): Promise<void> {
  const previousKind = account.state().kind;
  for (let signIns = 0; signIns < maxSignIns; signIns++) {
    await account.signIn(stage.house.address);
    await eventually(() => ['signed-in', 'signed-out'].includes(account.state().kind));
    const state = account.state();
    const error = 'error' in state ? state.error : null;
    if (error && refusalIn(error)) stage.find('told in the words of a refusal', error.code);
    if (state.kind !== 'signed-in' && previousKind === 'signed-in')
      stage.find('signed out', error?.code ?? state.kind);
    if (state.kind === 'signed-in' && !error) return;
  }
  stage.find('call failed for good', `${maxSignIns} times signing in`);
}

const signingIn = (request: 'register' | 'token code'): readonly Situation[] => [
  {
    request,
    state: 'signing in for the first time',
    meanwhile: 'reported as a failure, not as a refusal; signing in again works',
    alone: true,
    play: async (stage) => {
      stage.arm(anybodys[request], fewTimes);
      await signInUntilItWorks(stage, stage.house.startAccount());
    },
  },
  {
    request,
    state: 'signing in again while signed in',
    meanwhile: 'reported; the user stays signed in',
    alone: true,
    play: async (stage) => {
      stage.arm(anybodys[request], fewTimes);
      await signInUntilItWorks(stage, stage.house.account);
    },
  },
];

export const signInSituations: readonly Situation[] = [
  ...signingIn('register'),
  {
    request: 'register',
    state: 'at the start, signed in',
    meanwhile: 'the stored client ID is used',
    alone: true,
    play: async (stage) => {
      const { house, control } = stage;
      stage.arm(anybodys.register, fewTimes);
      const account = house.startAccount(house.accountVault);
      await account.start();
      await eventually(() => control.requests().at(-1)?.path === '/oauth/register');
      control.clearFaults();
      if (account.state().kind !== 'signed-in') stage.find('signed out', account.state().kind);
      await account.serviceFor(house.accountId).listAssets();
      account.stop();
    },
  },
  ...signingIn('token code'),
];
