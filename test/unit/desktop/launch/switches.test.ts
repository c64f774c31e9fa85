import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { refusedSwitch, runsUnsandboxed } from '../../../../main/desktop/launch/switches.ts';

const startedWith = (...args: string[]) => ({
  isPackaged: true,
  hasSwitch: (name: string) => args.includes(name),
  inspectorAddress: undefined,
});

it.each([
  ...'remote-debugging-port remote-debugging-pipe remote-debugging-address inspect'.split(' '),
  ...'inspect-brk wait-for-debugger auto-open-devtools-for-tabs'.split(' '),
])('S53: refusedSwitch() in the shipping build refuses --%s', (name) =>
  expect(refusedSwitch(startedWith('user-data-dir', name))).toBe(name),
);

it('refusedSwitch() in the shipping build accepts other switches', () => {
  expect(refusedSwitch(startedWith('user-data-dir', 'background', 'proxy-server', 'no-sandbox'))).toBeNull();
});

it('allows debugging switches in the test build, whose inspector listens', () => {
  const facts = startedWith('remote-debugging-port', 'inspect');
  expect(refusedSwitch({ ...facts, inspectorAddress: 'ws://127.0.0.1:1/x' })).toBeNull();
});

it('allows debugging switches when not packaged', () => {
  expect(refusedSwitch({ ...startedWith('remote-debugging-port'), isPackaged: false })).toBeNull();
});

it.each([['no-sandbox'], ['disable-namespace-sandbox', 'disable-setuid-sandbox']])(
  'S82: runsUnsandboxed() detects --%s',
  (...args) => expect(runsUnsandboxed(startedWith(...args))).toBe(true),
);

it('runsUnsandboxed() ignores a start that keeps one of the two sandboxes', () => {
  expect(runsUnsandboxed(startedWith('background'))).toBe(false);
  expect(runsUnsandboxed(startedWith('disable-setuid-sandbox'))).toBe(false);
});

it('runsUnsandboxed() ignores development starts and the test build', () => {
  expect(runsUnsandboxed({ ...startedWith('no-sandbox'), isPackaged: false })).toBe(false);
  expect(runsUnsandboxed({ ...startedWith('no-sandbox'), inspectorAddress: 'ws://127.0.0.1:1' })).toBe(false);
});

it('S83: runsUnsandboxed() detects the switch that AppImage starters add without user namespaces', () => {
  const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));
  const file = builder.resolve('app-builder-lib/out/targets/appimage/appImageUtil.js');
  expect(readFileSync(file, 'utf8')).toMatch(/unshare -Ur true[\s\S]{0,80}NO_SANDBOX=\(--no-sandbox\)/);
});
