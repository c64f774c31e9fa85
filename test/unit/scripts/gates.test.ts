import { expect, it } from 'vitest';
import { choose } from '../../../scripts/test/choose.mjs';
import { gates } from '../../../scripts/test/steps.mjs';

const names = (...chosenSteps: string[]) =>
  choose(gates, chosenSteps).map((stage) => stage.map((lane) => lane.map(({ name }) => name)));

it('choose() returns all stages of named gates, in order', () => {
  expect(names('test', 'release')).toEqual([...names('test'), ...names('release')]);
});

it('npm test runs all steps of npm run check', () => {
  expect(names('test').flat(2)).toEqual(expect.arrayContaining(names('check').flat(2)));
});

it('choose() selects steps by prefix, each once', () => {
  expect(names('types')).toEqual([[['types: main, scripts, tests']], [['types: renderer']]]);
  expect(names('audit')).toEqual([[['audit: packages']], [['audit: electron']]]);
});

it('choose() prefers a step with the exact name', () => {
  expect(names('package')).toEqual([[['package']]]);
  expect(names('nothing like it')).toEqual([]);
});

it('only the release gate installs and removes the product', () => {
  const installing = Object.entries(gates).filter(([, stages]) =>
    stages.flat(2).some(({ name }) => name === 'installed'),
  );
  expect(installing.map(([name]) => name)).toEqual(['release']);
});
