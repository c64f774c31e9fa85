import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sayPhrase } from '../../../renderer/say.ts';
import { type FindingId, factsOf } from '../../../shared/findings.ts';
import { suiteFolder } from '../../temporary-folder.ts';
import { type FailingInput, failingInputs } from '../../unit/inspect/corpus/failing-inputs.ts';
import { writeFiles } from '../../write-files.ts';
import { openWatchFixture, type WatchFixture } from '../watch/fixture.ts';
import { type Answer, type FrontEnds, openFrontEnds } from './front-ends.ts';

const root = suiteFolder();
let frontEnds: FrontEnds;
let house: WatchFixture;
let ruleId: string;

beforeAll(async () => {
  frontEnds = openFrontEnds();
  house = await openWatchFixture();
  const files = Object.fromEntries(
    failingInputs.flatMap((input) =>
      Object.entries(input.files).map(([key, content]) => [`${input.name}/${key}`, content] as const),
    ),
  );
  await writeFiles(root, files);
  await house.write(files);
  ruleId = (await house.rule({ kindFrom: 'content' })).id;
});
afterAll(async () => {
  frontEnds.close();
  await house.close();
});

const expected = ({ assets, leftOut = {} }: FailingInput) => ({
  assets: assets.map(({ kind, degrees, findings }) => ({ kind, degrees, findings })),
  leftOut: Object.values(leftOut).reduce((sum, count) => sum + count, 0),
});
const shortAnswer = ({ assets, leftOut }: Answer) => ({
  assets: assets.map(({ kind, degrees, findings }) => ({ kind, degrees, findings })),
  leftOut,
});

it.each(failingInputs)('`tilelift check --json` gives the right answer: $name', async (input) => {
  const { report, ...answer } = await frontEnds.check(join(root, input.name));
  expect(shortAnswer(answer)).toEqual(expected(input));
  const ids = input.assets.flatMap(({ findings }) => Object.keys(findings)) as FindingId[];
  const isComplete = input.assets.every(({ degrees }) => Object.keys(degrees).join() === 'read');
  const willFail = ids.some((id) => factsOf(id).level === 'will-fail');
  expect(report.result).toBe(willFail ? 'findings' : isComplete ? 'clean' : 'incomplete');
});

it.each(failingInputs)('gives the right answer in a watched folder: $name', async (input) => {
  const { assets } = input;
  const counts = new Map<FindingId, number>();
  for (const { findings } of assets)
    for (const [id, count] of Object.entries(findings) as [FindingId, number][])
      counts.set(id, (counts.get(id) ?? 0) + count);
  const notRead = assets.flatMap(({ degrees }) =>
    Object.entries(degrees).flatMap(([degree, count]) =>
      degree === 'read' || degree === 'wrong-format' ? [] : count,
    ),
  );
  if (notRead.length > 0)
    counts.set(
      'not-read',
      notRead.reduce((sum, count) => sum + count),
    );
  const grave = [...counts].filter(([id]) => factsOf(id).level === 'will-fail');
  const isHeld = grave.length > 0 || assets.some(({ kind }) => kind === null);
  const source = await house.untilSource(
    { id: ruleId } as Parameters<WatchFixture['untilSource']>[0],
    input.name,
    ({ state }) => state === (isHeld ? 'held' : 'complete'),
  );
  if (isHeld) {
    for (const [id, count] of grave)
      expect(source.why).toContain(sayPhrase({ key: `findings.${id}.title`, values: { count } }));
    if (grave.length === 0) expect(source.error?.code).toBe('watch-kind-undecided');
    return;
  }
  const receipt = Array.from(house.watch.receipts(ruleId)).find(
    (candidate) => candidate.source === input.name,
  );
  const receiptFindings = receipt?.findings ?? [];
  expect(Object.fromEntries(receiptFindings.map(({ id, count }) => [id, count]))).toEqual(
    Object.fromEntries(counts),
  );
  expect(Object.fromEntries((receipt?.degrees ?? []).map(({ degree, count }) => [degree, count]))).toEqual(
    assets[0]?.degrees,
  );
});
