import { scopes } from '../../integration/jobs/house.ts';
import { anybodys, ofAnyAsset } from '../requests.ts';
import type { Situation } from '../situation.ts';
import { errorOf, refusalIn, type Stage } from '../stage.ts';

/** Requests of a signed-in user who only lists assets. */

const fewTimes = 3;
/** Limit of calls until a success; an impostor affects several connections of one call. */
const maxCalls = 30;

/** Repeats a call like a user. Every failure must be transient. */
async function untilItWorks(stage: Stage, call: () => Promise<unknown>): Promise<void> {
  for (let calls = 0; calls < maxCalls; calls++) {
    const error = await errorOf(call);
    if (!error) return;
    if (refusalIn(error)) stage.find('told in the words of a refusal', error.code);
  }
  stage.find('call failed for good', `${maxCalls} calls`);
}

const listNow = ({ house }: Stage) => house.account.serviceFor(house.accountId).listAssets();
const days = 24 * 3600_000;

export const callSituations: readonly Situation[] = [
  {
    request: 'list assets',
    state: 'signed in',
    meanwhile: 'reported; retried when the list is shown',
    alone: true,
    play: async (stage) => {
      stage.arm(anybodys['list assets'], fewTimes);
      await untilItWorks(stage, () => listNow(stage));
    },
  },
  {
    request: 'read asset',
    state: 'trying an access token of the account’s settings',
    meanwhile: 'reported as a failure, not as a refusal of the token',
    alone: true,
    play: async (stage) => {
      const { house, control } = stage;
      stage.arm(ofAnyAsset, fewTimes);
      const anotherAccount = house.startAccount();
      const token = control.makeAccessToken(scopes);
      await untilItWorks(stage, () => anotherAccount.useAccessToken(house.address, token));
      if (anotherAccount.state().kind !== 'signed-in') stage.find('signed out', 'nobody could sign in');
    },
  },
  {
    request: 'token refresh',
    state: 'signed in, the access token refused',
    meanwhile: 'reported; the user stays signed in, and the refresh token is kept',
    alone: true,
    play: async (stage) => {
      stage.control.expireAccessTokens();
      stage.arm(anybodys['token refresh'], fewTimes);
      await untilItWorks(stage, () => listNow(stage));
    },
  },
  {
    request: 'token refresh',
    state: 'signed in, the access token due and still good',
    meanwhile: 'the token stays in use; the user stays signed in',
    alone: true,
    play: async (stage) => {
      stage.arm(anybodys['token refresh'], fewTimes);
      // The token is then in the last tenth of its thirty days.
      stage.house.clock.advance(28 * days);
      const error = await errorOf(() => listNow(stage));
      if (error && !stage.takesTheWholeRoom)
        stage.find('call failed for good', `though the token is still good: ${error.code}`);
      stage.control.clearFaults();
      stage.control.expireAccessTokens();
      await untilItWorks(stage, () => listNow(stage));
    },
  },
];
