import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startEmbeddedService } from '../start-service.ts';
import { postJson } from './contract-client.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = join(import.meta.dirname, '..', 'run.ts');
const addresses = z.strictObject({
  baseUrl: z.url(),
  authUrl: z.url(),
  storageUrl: z.url(),
  controlUrl: z.url(),
});

function run(...options: readonly string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn('node', [program, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

describe('the service as a program', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its addresses as JSON, answers there, and ends on %s',
    async (signal) => {
      const child = run('--json');
      const [line] = await once(createInterface(child.stdout), 'line');
      const { controlUrl, baseUrl } = addresses.parse(JSON.parse(String(line)));
      expect((await postJson(`${controlUrl}/assets`, null)).body).toEqual({ value: [] });
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      await expect(fetch(baseUrl)).rejects.toThrow();
    },
  );

  it('refuses options that are wrong', async () => {
    const child = spawn('node', [program, '--port', 'x'], { stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    expect(code).not.toBe(0);
  });
});

describe('starting and stopping', () => {
  it('listens on loopback only', async () => {
    const service = await startEmbeddedService();
    onTestFinished(() => service.stop());
    for (const address of [service.baseUrl, service.authUrl, service.storageUrl, service.controlUrl]) {
      expect(new URL(address).hostname).toBe('127.0.0.1');
    }
  });

  it('makes a data folder that is missing, and leaves removing it to the caller', async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    const dataFolder = join(path, 'new', 'folder');
    const service = await startEmbeddedService({ dataFolder });
    await service.stop();
    expect(existsSync(dataFolder)).toBe(true);
  });

  it('says so when a port is taken, and leaves nothing running', async () => {
    const first = await startEmbeddedService();
    onTestFinished(() => first.stop());
    const storagePort = Number(new URL(first.storageUrl).port);
    await expect(startEmbeddedService({ storagePort })).rejects.toThrow('EADDRINUSE');
  });
});
