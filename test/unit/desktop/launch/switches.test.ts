import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { refusedSwitch, runsUnsandboxed } from '../../../../main/desktop/launch/switches.ts';

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

describe('a start without Chromium’s sandbox', () => {
  it.each([['no-sandbox'], ['disable-namespace-sandbox', 'disable-setuid-sandbox']])(
    'is told: --%s',
    (...given) => {
      expect(runsUnsandboxed(startedWith(...given))).toBe(true);
    },
  );

  it('is not one that has it, by one of its two ways', () => {
    expect(runsUnsandboxed(startedWith('background'))).toBe(false);
    expect(runsUnsandboxed(startedWith('disable-setuid-sandbox'))).toBe(false);
  });

  it('is no matter of trial starts and of the build for tests', () => {
    expect(runsUnsandboxed({ ...startedWith('no-sandbox'), isPackaged: false })).toBe(false);
    expect(runsUnsandboxed({ ...startedWith('no-sandbox'), inspectorAddress: 'ws://127.0.0.1:1' })).toBe(
      false,
    );
  });

  it('is what the starter of an AppImage makes where the system allows no user namespaces', () => {
    const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));
    const file = builder.resolve('app-builder-lib/out/targets/appimage/appImageUtil.js');
    expect(readFileSync(file, 'utf8')).toMatch(/unshare -Ur true[\s\S]{0,80}NO_SANDBOX=\(--no-sandbox\)/);
  });
});
