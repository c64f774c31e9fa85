import { describe, expect, it } from 'vitest';
import { commandArguments } from '../../../../main/desktop/launch/command-launch.ts';

describe('a launch', () => {
  it.each([
    [
      ['tilelift', '--no-sandbox', '--cli', '--', 'upload', './city', '--', '--cli'],
      ['upload', './city', '--', '--cli'],
    ],
    [['tilelift', '--cli', '--'], []],
  ])('%j is one of the command', (args, given) => {
    expect(commandArguments(args)).toEqual(given);
  });

  it.each([
    [['tilelift']],
    [['tilelift', '--cli']],
    [['tilelift', '/home/surveys', '--background']],
    // What a link brings along stands behind the dashes.
    [['tilelift', '--link', '--', '--cli', '--', 'sign-out']],
    [['tilelift', '--link', '--', 'tilelift://oauth/callback?--cli', '--']],
  ])('%j is one of the desktop', (args) => {
    expect(commandArguments(args)).toBe(null);
  });
});
