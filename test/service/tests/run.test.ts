import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readCommandLine } from '../command-line.ts';
import { seedSchema } from '../control/seed-schema.ts';
import { firstSteps } from '../first-steps.ts';
import { startEmbeddedService } from '../start-service.ts';
import { bearer, call, postJson } from './contract-client.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = join(import.meta.dirname, '..', 'run.ts');
const addresses = z.strictObject({
  baseUrl: z.url(),
  authUrl: z.url(),
  storageUrl: z.url(),
  controlUrl: z.url(),
  accessToken: z.string(),
});

function run(...options: readonly string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn('node', [program, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  'service as a program: prints its addresses as JSON, answers there and ends on %s',
  async (signal) => {
    const child = run('--json', '--strict');
    const [line] = await once(createInterface(child.stdout), 'line');
    const { controlUrl, baseUrl } = addresses.parse(JSON.parse(String(line)));
    expect((await postJson(`${controlUrl}/assets`, null)).body).toEqual({ value: [] });
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect(fetch(baseUrl)).rejects.toThrow();
  },
);

it('service as a program: issues a token and seeds the assets, clients and options of a file', async () => {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const file = join(path, 'seed.json');
  await writeFile(file, JSON.stringify({ assets: [{ id: 7, name: 'Ground', type: 'TERRAIN' }] }));
  const secondAsset = JSON.stringify({ id: 8, name: 'Roofs', type: '3DTILES', status: 'ERROR' });
  const options = ['--asset', secondAsset, '--sign-in-path', '/ion', '--client', '4711=my-app:/back?a=b'];
  const child = run('--json', '--seed', file, ...options, '--host-name', 'localhost');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { baseUrl, authUrl, storageUrl, accessToken } = addresses.parse(JSON.parse(String(line)));
  const list = await call(`${baseUrl}/v1/assets`, { headers: bearer(accessToken) });
  expect(list.body.items).toMatchObject([
    { id: 1, name: 'World Terrain' },
    { id: 7, status: 'COMPLETE' },
    { id: 8, status: 'ERROR' },
  ]);
  expect((await call(`${authUrl}/assets/8`)).text).toContain('Roofs');
  expect(new URL(authUrl).pathname).toBe('/ion');
  for (const address of [baseUrl, authUrl, storageUrl]) expect(new URL(address).hostname).toBe('localhost');
  const creation = { name: 'x', type: 'IMAGERY', options: { sourceType: 'RASTER_IMAGERY' } };
  const { body } = await postJson(`${baseUrl}/v1/assets`, creation, bearer(accessToken));
  expect(body).toMatchObject({
    uploadLocation: { endpoint: storageUrl },
    onComplete: { url: expect.stringContaining(baseUrl) },
  });
});

it.each([
  [['--port', 'x'], '--port takes a whole number'],
  [['--seed', 'no-such-file'], 'no-such-file'],
  [['--asset', '{"id":1}'], '--asset: ✖'],
  [['--asset', '{'], '--asset: is no JSON'],
  [['--client', 'dcr:1=x:/'], '--client takes a whole number'],
  [['--flow', 'later'], 'flow'],
  [['--streaming', 'gcs'], '--streaming'],
  [['--token', 'assets:everything'], 'assets:everything'],
  [['--nonsense'], 'nonsense'],
  [['--host-name', 'no-such-host.invalid'], 'no-such-host.invalid'],
])('service as a program: refuses %j, prints why and exits', async (options, words) => {
  const child = spawn('node', [program, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(child, 'close');
  const errors = (await child.stderr.toArray()).join('');
  expect(await exit).toEqual([1, null]);
  expect(errors).toContain(words);
  expect(errors).not.toMatch(/^ +at /m);
});

it('the command line uses four consecutive ports unless one is set', () => {
  expect(readCommandLine(['--port', '8390', '--storage-port', '9000'])?.settings).toEqual({
    apiPort: 8390,
    authPort: 8391,
    storagePort: 9000,
    controlPort: 8393,
  });
  expect(readCommandLine([])?.settings).toEqual({});
  expect(readCommandLine(['--port', '0'])?.settings).toEqual({ apiPort: 0 });
});

it('the command line reads every option', () => {
  const lifeOptions = ['--access-seconds', '7', '--refresh-seconds', '11', '--upload-seconds', '13'];
  const behaviourOptions = ['--flow', 'earlier', '--expiry-names', 'expiresIn', '--streaming', 'ceph'];
  const furtherArgs = [
    '--tiling-ms',
    '17',
    '--data',
    'x',
    '--discard',
    '--omit-endpoint',
    '--json',
    '--strict',
  ];
  const order = readCommandLine([
    ...lifeOptions,
    ...behaviourOptions,
    ...furtherArgs,
    '--token',
    'assets:list geocode',
  ]);
  expect(order).toEqual({
    settings: {
      uploadCredentialSeconds: 13,
      streaming: 'ceph',
      tilingMs: 17,
      dataFolder: 'x',
      keepObjects: 'discard',
      omitEndpoint: true,
    },
    seeds: [
      {},
      {
        assets: [],
        clients: [],
        tokens: [{ scopes: ['assets:list', 'geocode'] }],
        flow: 'earlier',
        expiryNames: 'expiresIn',
        accessTokenSeconds: 7,
        refreshTokenSeconds: 11,
      },
    ],
    isJson: true,
    isStrict: true,
  });
  expect(readCommandLine(['--help'])).toBeNull();
});

it('the command line reads the seed in the README', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
  const example = readme.split('```json\n')[1]?.split('```')[0] ?? '';
  expect(seedSchema.parse(JSON.parse(example)).assets).toHaveLength(3);
});

describe('output', () => {
  const url = 'http://127.0.0.1:1';
  const service = { baseUrl: url, authUrl: url, storageUrl: url, controlUrl: url };

  it('states whether other computers reach the service, and prints every requested token', () => {
    const tokens = ['first', 'second', 'third'];
    const text = firstSteps({ service, flow: 'current', tokens, isPrivate: false });
    expect(text).toContain('Other computers may reach it');
    expect(text).not.toContain('Nothing leaves this computer');
    expect(text).toContain('\nTILING_TOKEN=first\nTILING_TOKEN_2=second\nTILING_TOKEN_3=third\n');
    expect(text).toContain('/oauth/register');
  });

  it('the output registers no client if registration is disabled', () => {
    const text = firstSteps({ service, flow: 'earlier', tokens: ['first'], isPrivate: true });
    expect(text).not.toContain('/oauth/register');
    expect(text).toContain('Nothing leaves this computer');
  });
});

describe('starting and stopping', () => {
  it('the service listens on loopback only', async () => {
    const service = await startEmbeddedService();
    onTestFinished(() => service.stop());
    for (const address of [service.baseUrl, service.authUrl, service.storageUrl, service.controlUrl]) {
      expect(new URL(address).hostname).toBe('127.0.0.1');
    }
  });

  it('starting and stopping: creates a missing data folder and leaves its removal to the caller', async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    const dataFolder = join(path, 'new', 'folder');
    const service = await startEmbeddedService({ dataFolder });
    await service.stop();
    expect(existsSync(dataFolder)).toBe(true);
  });

  it('starting and stopping: reports an occupied port and stops completely', async () => {
    const firstService = await startEmbeddedService();
    onTestFinished(() => firstService.stop());
    const storagePort = Number(new URL(firstService.storageUrl).port);
    await expect(startEmbeddedService({ storagePort })).rejects.toThrow('EADDRINUSE');
  });
});

it('accepts a second -- in front of its options', () => {
  expect(readCommandLine(['--', '--help'])).toBeNull();
  expect(readCommandLine(['--', '--strict'])?.isStrict).toBe(true);
});
