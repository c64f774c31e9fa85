import { describe, expect, it } from 'vitest';
import { refusedSwitch } from '../../../../main/desktop/launch/debugger-switches.ts';

const startedWith = (...given: string[]) => ({
  isPackaged: true,
  hasSwitch: (name: string) => given.includes(name),
  inspectorAddress: undefined,
});

describe('the shipping build', () => {
  it.each([
    'remote-debugging-port',
    'remote-debugging-pipe',
    'remote-debugging-address',
    'inspect',
    'inspect-brk',
    'wait-for-debugger',
    'auto-open-devtools-for-tabs',
  ])('does not start with --%s', (name) => {
    expect(refusedSwitch(startedWith('user-data-dir', name))).toBe(name);
  });

  it('starts with anything else', () => {
    expect(
      refusedSwitch(startedWith('user-data-dir', 'background', 'proxy-server', 'no-sandbox')),
    ).toBeNull();
  });
});

it('the build for tests, whose inspector listens, starts with them', () => {
  const facts = startedWith('remote-debugging-port', 'inspect');
  expect(refusedSwitch({ ...facts, inspectorAddress: 'ws://127.0.0.1:1/x' })).toBeNull();
});

it('what is not packaged starts with them', () => {
  expect(refusedSwitch({ ...startedWith('remote-debugging-port'), isPackaged: false })).toBeNull();
});
