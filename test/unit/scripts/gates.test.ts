import { expect, it } from 'vitest';
import { choose } from '../../../scripts/test/choose.mjs';
import { gates } from '../../../scripts/test/steps.mjs';

const names = (...chosen: string[]) =>
  choose(gates, chosen).map((stage) => stage.map((lane) => lane.map(({ name }) => name)));

it('chooses all stages of the named gates, in their order', () => {
  expect(names('test', 'release')).toEqual([...names('test'), ...names('release')]);
  expect(names('test').slice(0, names('check').length)).toEqual(names('check'));
});

it('chooses steps by the beginning of their names, each once and alone', () => {
  expect(names('types')).toEqual([[['types: main, scripts, tests']], [['types: renderer']]]);
  expect(names('audit')).toEqual([[['audit: packages']], [['audit: electron']]]);
});

it('chooses the step alone whose whole name is given', () => {
  expect(names('package')).toEqual([[['package']]]);
  expect(names('nothing like it')).toEqual([]);
});

it('installs and removes the product only in the release gate', () => {
  const installing = Object.entries(gates).filter(([, stages]) =>
    stages.flat(2).some(({ name }) => name === 'installed'),
  );
  expect(installing.map(([name]) => name)).toEqual(['release']);
});
