import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFuses, shippingFuses, testFuse } from '../../scripts/package/fuses.mjs';
import { packagedExecutable, shippingExecutable } from './support/packaged-app.ts';
import { runToItsEnd, startShippingApp } from './support/shipping-app.ts';

describe('19 · fuses', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tilelift-fuses-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('19 · sets every fuse of the shipping build as decided', async () => {
    const fuses = await readFuses(shippingExecutable());
    expect(fuses).toEqual(Object.fromEntries(shippingFuses(process.platform)));
    expect(fuses).toMatchObject({
      RunAsNode: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      GrantFileProtocolExtraPrivileges: false,
      EnableCookieEncryption: true,
      OnlyLoadAppFromAsar: true,
      EnableEmbeddedAsarIntegrityValidation: process.platform !== 'linux',
    });
  });

  it('19 · differs from the shipping build in one fuse only in the build for end-to-end tests', async () => {
    const shipping = await readFuses(shippingExecutable());
    expect(await readFuses(packagedExecutable())).toEqual({ ...shipping, [testFuse]: true });
    if (process.platform === 'darwin') return; // Its signature differs by necessity.
    const [shipped, tested] = [readFileSync(shippingExecutable()), readFileSync(packagedExecutable())];
    expect(shipped.length).toBe(tested.length);
    expect(shipped.filter((byte, place) => byte !== tested[place]).length).toBe(1);
    const archive = (executable: string) => readFileSync(join(dirname(executable), 'resources', 'app.asar'));
    expect(archive(packagedExecutable()).equals(archive(shippingExecutable()))).toBe(true);
  });

  it('19 · ships no other app that could be loaded', () => {
    const resources = join(
      dirname(shippingExecutable()),
      process.platform === 'darwin' ? '../Resources' : 'resources',
    );
    const apps = readdirSync(resources).filter((name) => /^app$|\.asar$/.test(name));
    expect(apps).toEqual(['app.asar']);
  });

  it('19 · disables Node, its options and the inspector in the shipping build', async () => {
    const app = await startShippingApp(folder);
    try {
      // A second one loses the lock and ends; as Node it would print, with the option it would fail to start.
      const { said: output } = await runToItsEnd(
        shippingExecutable(),
        folder,
        ['-e', 'console.log("I am Node")'],
        { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require=/nowhere/at-all.cjs' },
      );
      expect(output).not.toContain('I am Node');
      expect(output).not.toContain('at-all.cjs');
      expect((await runToItsEnd(shippingExecutable(), folder, ['--inspect=0'])).said).not.toContain(
        'Debugger listening',
      );
      // The same asked of the build for tests does open an inspector: the question is a real one.
      expect((await runToItsEnd(packagedExecutable(), folder, ['--inspect=0'])).said).toContain(
        'Debugger listening',
      );
    } finally {
      await app.close();
    }
  });

  it.each([
    ['--remote-debugging-port=0'],
    ['-remote-debugging-port=0'],
    ['--remote-debugging-pipe'],
    ['--inspect=0', '--remote-debugging-port=0'],
  ])('S54: refuses to start the shipping build with %s', async (...args) => {
    const { said: output, code } = await runToItsEnd(shippingExecutable(), folder, args);
    expect(output).toMatch(/does not start with --(?:remote-debugging-(?:port|pipe)|inspect)/);
    expect(code).toBe(1);
    expect(output).not.toContain('DevTools listening');
    expect(existsSync(join(folder, 'DevToolsActivePort'))).toBe(false);
    expect(existsSync(join(folder, 'journal.db'))).toBe(false);
  });
});
