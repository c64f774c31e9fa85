import { expect, it } from 'vitest';
import { commandArguments } from '../../../../main/desktop/launch/command-launch.ts';

it.each([
  [
    ['tilelift', '--no-sandbox', '--cli', '--', 'upload', './city', '--', '--cli'],
    ['upload', './city', '--', '--cli'],
  ],
  [['tilelift', '--cli', '--'], []],
])('commandArguments() returns the command of %j', (args, given) =>
  expect(commandArguments(args)).toEqual(given),
);

it.each([
  [['tilelift']],
  [['tilelift', '--cli']],
  [['tilelift', '/home/surveys', '--background']],
  // A link's content follows the dashes.
  [['tilelift', '--link', '--', '--cli', '--', 'sign-out']],
  [['tilelift', '--link', '--', 'tilelift://oauth/callback?--cli', '--']],
])('S96: commandArguments() returns null for a desktop launch: %j', (args) =>
  expect(commandArguments(args)).toBe(null),
);
