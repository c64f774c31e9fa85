import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type AnswersHouse, openAnswersHouse } from './answers-house.ts';
import { type ForeignAnswer, foreignAnswers } from './foreign-answers.ts';
import type { Situation } from './situation.ts';
import { makeSources, type Sources } from './sources.ts';
import { Failed, type Finding, Stage } from './stage.ts';

/** Cases of one situation that are played side by side. */
const hands = 6;
/** Of all cases of one situation together. */
const limitMs = 300_000;

/**
 * The tests of some situations: each with every foreign answer, on real sockets. The cases of one situation
 * share a service and are played before its tests, side by side where their requests can be told apart; the
 * tests only look at what was found.
 */
export function testSituations(situations: readonly Situation[]): void {
  let sources: Sources;
  beforeAll(async () => {
    sources = await makeSources();
  });
  afterAll(async () => {
    await sources.remove();
  });

  for (const situation of situations) {
    describe(`${situation.request}, ${situation.state}`, () => {
      let found: ReadonlyMap<string, readonly Finding[]>;
      beforeAll(async () => {
        found = await playAll(situation, sources);
      }, limitMs);

      it.each(foreignAnswers.map(({ name }) => name))('%s', (name) => {
        const findings = found.get(name)?.map(({ kind, words }) => `${kind}: ${words}`);
        expect(findings?.join('; ')).toBe('');
      });
    });
  }
}

async function playAll(
  situation: Situation,
  sources: Sources,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const found = new Map<string, readonly Finding[]>();
  const play = async (house: AnswersHouse, answer: ForeignAnswer) => {
    const stage = new Stage(house, answer, sources, `${situation.request}: ${answer.name}`);
    try {
      await situation.play(stage);
    } catch (thrown) {
      if (!(thrown instanceof Failed)) throw thrown;
      stage.findings.push(thrown.finding);
    }
    stage.check();
    found.set(answer.name, stage.findings);
    if (situation.alone) await tidy(house);
  };
  for (const secure of [false, true]) {
    const answers = foreignAnswers.filter((answer) => Boolean(answer.secure) === secure);
    // Whatever an impostor does strikes a whole room.
    const beside = situation.alone || secure ? 1 : hands;
    const house = await openAnswersHouse(secure ? inject('https') : null);
    try {
      await withHands(beside, answers, (answer) => play(house, answer));
    } finally {
      await house.close();
    }
  }
  return found;
}

/** What a bad case left behind is not the next one's. */
async function tidy({ service, account, address, jobs }: AnswersHouse): Promise<void> {
  service.control.clearFaults();
  if (account.state().kind !== 'signed-in') await account.signIn(address);
  for (const job of jobs.list()) if (job.endedAt === null) await jobs.act(job.id, 'cancel');
}

async function withHands<T>(
  count: number,
  things: readonly T[],
  take: (thing: T) => Promise<void>,
): Promise<void> {
  const left = [...things];
  const hand = async () => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await take(thing);
  };
  await Promise.all(Array.from({ length: count }, hand));
}
