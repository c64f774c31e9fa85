import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type AnswersHouse, openAnswersHouse } from './answers-house.ts';
import { type ForeignAnswer, foreignAnswers } from './foreign-answers.ts';
import type { Situation } from './situation.ts';
import { makeSources, type Sources } from './sources.ts';
import { Failed, type Finding, Stage } from './stage.ts';

const hands = 6;
const limitMs = 300_000;

/**
 * Tests situations with every foreign response on real sockets. A situation's cases share a service and run
 * before its tests, in parallel if possible; the tests only check the findings.
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
      let findingsByCase: ReadonlyMap<string, readonly Finding[]>;
      beforeAll(async () => {
        findingsByCase = await playAll(situation, sources);
      }, limitMs);

      it.each(foreignAnswers.map(({ name }) => name))('%s', (name) => {
        const findings = findingsByCase.get(name)?.map(({ kind, words }) => `${kind}: ${words}`);
        expect(findings?.join('; ')).toBe('');
      });
    });
  }
}

async function playAll(
  situation: Situation,
  sources: Sources,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const findingsByCase = new Map<string, readonly Finding[]>();
  const play = async (house: AnswersHouse, answer: ForeignAnswer) => {
    const stage = new Stage(house, answer, sources, `${situation.request}: ${answer.name}`);
    try {
      await situation.play(stage);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      stage.findings.push(error.finding);
    }
    stage.check();
    findingsByCase.set(answer.name, stage.findings);
    if (situation.alone) await tidy(house);
  };
  for (const secure of [false, true]) {
    const answers = foreignAnswers.filter((answer) => Boolean(answer.secure) === secure);
    const parallelCases = situation.alone || secure ? 1 : hands;
    const house = await openAnswersHouse(secure ? inject('https') : null);
    try {
      await withHands(parallelCases, answers, (answer) => play(house, answer));
    } finally {
      await house.close();
    }
  }
  return findingsByCase;
}

/** Resets the house, so that a failed case doesn't affect the next one. */
async function tidy({ service, account, address, jobs }: AnswersHouse): Promise<void> {
  service.control.clearFaults();
  if (account.state().kind !== 'signed-in') await account.signIn(address);
  for (const job of jobs.list()) if (job.endedAt === null) await jobs.act(job.id, 'cancel');
}

async function withHands<T>(
  count: number,
  things: readonly T[],
  playOne: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = [...things];
  const hand = async () => {
    for (let item = remaining.shift(); item !== undefined; item = remaining.shift()) await playOne(item);
  };
  await Promise.all(Array.from({ length: count }, hand));
}
