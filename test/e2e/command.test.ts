import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedService } from '../service/model.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import { eventually } from './support/eventually.ts';
import { shippingExecutable } from './support/packaged-app.ts';

/** The command as the installers bring it, without a display and with nothing of our environment. */
describe.skipIf(process.platform !== 'linux')('command of the packaged desktop', () => {
  const launcher = () => join(dirname(shippingExecutable()), 'resources', 'bin', 'tilelift');
  let service: EmbeddedService;
  let home: string;
  beforeEach(async () => {
    service = await startEmbeddedService({ tilingMs: 300 });
    home = await mkdtemp(join(tmpdir(), 'tilelift-command-'));
  });
  afterEach(async () => {
    await service.stop();
    await rm(home, { recursive: true, force: true });
  });

  function start(...args: readonly string[]) {
    const child = spawn(launcher(), args, {
      cwd: home,
      env: { HOME: home, PATH: '/usr/bin:/bin', TILELIFT_POLL_MS: '100' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text;
      });
    const result = once(child, 'close').then(([code]) => ({ code, ...output }));
    return { child, ended: result };
  }
  const run = (...args: readonly string[]) => start(...args).ended;

  async function signIn(): Promise<void> {
    const token = join(home, 'token');
    await writeFile(token, service.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']));
    await chmod(token, 0o600);
    const { baseUrl, authUrl } = service;
    const result = await run('sign-in', '--service', baseUrl, authUrl, '--token-file', token);
    expect(result).toMatchObject({ code: 0, stderr: '' });
  }

  async function dataOf(bytes: number): Promise<string> {
    const folder = join(home, 'city');
    await mkdir(folder);
    await writeFile(join(folder, 'DJI_0001.tif'), randomBytes(bytes));
    return folder;
  }

  it('prints only its version for --version', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    // Without a display there is no window that could be opened instead.
    expect((await run()).stdout).toContain('Usage: tilelift');
  });

  it('S97: returns the command’s exit codes and treats no argument as a Chromium switch', async () => {
    expect((await run('upload', '/nowhere/at-all')).code).toBe(2);
    const { code, stderr } = await run('status', '--remote-debugging-port=0');
    expect(code).toBe(2);
    expect(stderr).toContain('--remote-debugging-port');
    expect(stderr).not.toContain('DevTools listening');
  });

  it('uploads to COMPLETE in one process without touching the desktop’s folder', async () => {
    await signIn();
    const folder = await dataOf(700_000);
    const sourceType = ['--source-type', 'RASTER_IMAGERY'];
    service.control.addFault({
      match: { room: 'storage', method: 'PUT', times: 100 },
      action: { kind: 'hold' },
    });
    const { child, ended: result } = start('upload', folder, ...sourceType, '--json');
    await eventually(() =>
      expect(service.control.requests()).toContainEqual(
        expect.objectContaining({ room: 'storage', method: 'PUT' }),
      ),
    );
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    child.kill('SIGTERM');
    expect(await result).toMatchObject({ code: 143 });
    service.control.clearFaults();
    const again = await run('upload', folder, ...sourceType, '--json');

    expect(again).toMatchObject({ code: 0 });
    expect(children).toBe('');
    expect(service.control.assets()).toEqual([expect.objectContaining({ status: 'COMPLETE' })]);
    const last = again.stdout.trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ event: 'result', exitCode: 0 });
    expect(existsSync(join(home, '.config', 'Tilelift'))).toBe(false);
    expect(await readdir(join(home, '.local', 'share'))).toEqual(['tilelift']);
  });
});
