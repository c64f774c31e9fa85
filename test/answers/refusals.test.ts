import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorMessage } from '../../renderer/say.ts';
import { scopes } from '../integration/jobs/house.ts';
import { type AnswersHouse, openAnswersHouse } from './answers-house.ts';
import {
  type CallRefusal,
  callRefusals,
  type Ending,
  inWords,
  type JobRefusal,
  jobRefusals,
} from './refusals.ts';
import { anybodys, ofAnyAsset, ofOneJob } from './requests.ts';
import { makeSources, type Sources } from './sources.ts';
import { errorOf, eventually, Stage, uploadHalf } from './stage.ts';

let sources: Sources;
let house: AnswersHouse;

beforeAll(async () => {
  sources = await makeSources();
});
beforeEach(async () => {
  house = await openAnswersHouse(null);
});
afterEach(() => house.close());
afterAll(() => sources.remove());

const lostAnswer = { kind: 'cut-answer', afterBytes: 0 } as const;

/** Prepares the state in which the request is sent, and the refusal. */
async function meet(stage: Stage, { request, answer, times }: JobRefusal): Promise<void> {
  switch (request) {
    case 'create asset':
      stage.fault({ ...anybodys[request], times }, answer);
      return stage.start({});
    case 'token refresh':
      return stage.start({
        on: {
          tiling: () => {
            stage.control.expireAccessTokens();
            stage.fault({ ...anybodys[request], times }, answer);
          },
        },
      });
    case 'read asset':
      return stage.start({
        on: { tiling: (place) => stage.fault({ ...ofOneJob[request](place), times }, answer) },
      });
    case 'ListParts': {
      const place = await uploadHalf(stage);
      await stage.act('pause');
      stage.fault({ ...ofOneJob[request](place), times }, answer);
      return stage.act('resume');
    }
    default:
      return stage.start({
        large: !['PUT', 'complete upload'].includes(request),
        on: {
          uploading: (place) => {
            if (request === 'HEAD') stage.fault(ofOneJob.CompleteMultipartUpload(place), lostAnswer);
            stage.fault({ ...ofOneJob[request](place), times }, answer);
          },
        },
      });
  }
}

async function expectEnding(stage: Stage, expectedEnding: Ending, remote: string): Promise<void> {
  if (expectedEnding.kind === 'fails') throw new Error('a job does not fail as a call does');
  if (expectedEnding.kind === 'goes on') {
    await stage.complete();
    const { begins: uploadsBegun = 1 } = expectedEnding;
    // Reporting depends on the number of refusals; some of them require sending everything again.
    const expectedKinds =
      uploadsBegun > 1 ? ['upload thrown away', 'confirmed part sent again', 'not told'] : ['not told'];
    expect(stage.findings.filter(({ kind }) => !expectedKinds.includes(kind))).toEqual([]);
    await expect.poll(() => stage.control.openUploads()).toEqual([]);
    return;
  }
  const isWaitExpected = expectedEnding.kind === 'waits for a sign-in';
  const job = await stage.until('its end', ({ endedAt, waitingFor }) =>
    isWaitExpected ? waitingFor === 'sign-in' : endedAt !== null,
  );
  expect(job).toMatchObject({ status: expectedEnding.status, error: { code: expectedEnding.code } });
  expect(job.error && errorMessage(job.error)).toContain(expectedEnding.words);
  expect(job.error?.remote?.code).toBe(remote);
  if (expectedEnding.action) expect(job.actions).toContain(expectedEnding.action);
  expect(stage.control.assets().length).toBeLessThanOrEqual(1);
}

/**
 * The code in a refusal's text: `400 NoFiles` and `400 BadDigest once` contain one, a bare status doesn't.
 */
const codeIn = (refusalText: string) => refusalText.split(' ')[1];

describe.each(jobRefusals.map((refusal) => ({ ...refusal, how: inWords(refusal.ending) })))(
  'a job at $request: $says',
  (refusal) => {
    it(refusal.how, async () => {
      const stage = new Stage(house, null, sources, 'Altstadt');
      await meet(stage, refusal);
      await expectEnding(stage, refusal.ending, codeIn(refusal.says) ?? '');
    });
  },
);

async function call({ call: callName }: CallRefusal) {
  const { account, accountId, address } = house;
  if (callName === 'list') return errorOf(() => account.serviceFor(accountId).listAssets());
  const anotherAccount = house.startAccount();
  if (callName !== 'sign in') {
    const token = house.service.control.makeAccessToken(scopes);
    return errorOf(() => anotherAccount.useAccessToken(address, token));
  }
  await anotherAccount.signIn(address);
  await eventually(() => anotherAccount.state().kind === 'signed-out');
  const state = anotherAccount.state();
  return 'error' in state ? (state.error ?? null) : null;
}

describe.each(callRefusals.map((refusal) => ({ ...refusal, how: inWords(refusal.ending) })))(
  '$call at $request: $says',
  (refusal) => {
    it(refusal.how, async () => {
      const { ending: expectedEnding, request, says: refusalText, answer, times } = refusal;
      const { control } = house.service;
      if (request === 'token refresh') control.expireAccessTokens();
      const match = request === 'read asset' ? ofAnyAsset : anybodys[request];
      control.addFault({ match: { ...match, times }, action: answer });
      const error = await call(refusal);
      expect(error).toMatchObject({ code: expectedEnding.code, remote: { code: codeIn(refusalText) } });
      expect(error && errorMessage(error)).toContain(expectedEnding.words);
      expect(house.account.state().kind).toBe(expectedEnding.signedOut ? 'signed-out' : 'signed-in');
    });
  },
);

it.each([
  ['DATA_ERROR', 'data-error', 'data-error'],
  ['ERROR', 'error', 'tiling-error'],
] as const)('tiling that the service ends: ends the job with tiling status %s', async (end, status, code) => {
  house.service.control.setTiling({ end, error: 'No coordinate reference system.' });
  const stage = new Stage(house, null, sources, 'Altstadt');
  stage.start({});
  const job = await stage.until('its end', ({ endedAt }) => endedAt !== null);
  expect(job).toMatchObject({
    status,
    error: { code, remote: { code: end, message: 'No coordinate reference system.' } },
  });
});
