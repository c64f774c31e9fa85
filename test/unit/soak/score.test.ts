import { expect, it } from 'vitest';
import { type ExpectedSource, manifestOf } from '../../../tools/soak/expected.ts';
import { type FoundAsset, isFlawless, scoreOf } from '../../../tools/soak/score.ts';

const files = (contents: Readonly<Record<string, string>>) =>
  manifestOf(new Map(Object.entries(contents).map(([key, text]) => [key, Buffer.from(text)])));
const firstVersion = files({ 'a.tif': 'first', 'b.tif': 'beside' });
const secondVersion = files({ 'a.tif': 'second', 'b.tif': 'beside' });
const kai: ExpectedSource = { name: 'Kai', versions: [firstVersion, secondVersion] };
const complete = (name: string, contents: FoundAsset['files']): FoundAsset => ({
  name,
  status: 'COMPLETE',
  files: contents,
});
const begunAsset = (name: string): FoundAsset => ({ name, status: 'AWAITING_FILES', files: new Map() });
const rightAssets = [complete('Kai', firstVersion), complete('Kai', secondVersion)];

/** Non-zero faults of the score and its messages. */
function wrongIn(assets: readonly FoundAsset[]) {
  const printedTexts: string[] = [];
  const score = scoreOf([kai], assets, (text) => printedTexts.push(text));
  expect(isFlawless(score)).toBe(printedTexts.length === 0);
  const { sources: _, assets: _assets, assetsPerSource: _most, ...figures } = score;
  return Object.fromEntries(Object.entries(figures).filter(([, count]) => count > 0));
}

it('scoreOf() is clean when each version is one asset, in any order', () => {
  expect(wrongIn(rightAssets)).toEqual({});
  expect(wrongIn(rightAssets.toReversed())).toEqual({});
  expect(scoreOf([kai], rightAssets, () => {})).toMatchObject({ sources: 2, assets: 2, assetsPerSource: 1 });
});

it.each([
  ['a double', { doubles: 1 }, [...rightAssets, complete('Kai', firstVersion)]],
  ['a version without an asset', { missed: 1 }, [complete('Kai', firstVersion)]],
  [
    'a file that had not all come, whatever its size',
    { premature: 1, torn: 1 },
    [...rightAssets, complete('Kai', files({ 'a.tif': 'secon\0', 'b.tif': 'beside' }))],
  ],
  [
    'a set of which a file was missing, as too early and not as torn',
    { premature: 1 },
    [...rightAssets, complete('Kai', files({ 'a.tif': 'second' }))],
  ],
  ['junk', { junkAssets: 1 }, [...rightAssets, complete('Lies_mich', files({ 'Lies_mich.txt': 'Hallo' }))]],
  ['an asset that was given up', { orphans: 1 }, [...rightAssets, begunAsset('Kai')]],
  ['one of what nobody wrote', { orphans: 1 }, [...rightAssets, begunAsset('report')]],
  [
    'a third asset of the delivery that storage refuses',
    { refused: 3 },
    [...rightAssets, ...[1, 2, 3].map(() => begunAsset('refused-by-storage'))],
  ],
  ['one that does not end', { stuck: 1 }, [complete('Kai', firstVersion), begunAsset('Kai')]],
])('scoreOf() detects %s', (_, figures, assets) => expect(wrongIn(assets)).toEqual(figures));
