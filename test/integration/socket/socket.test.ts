import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readSocketAddress } from '../../../main/socket/address.ts';
import { connectToRunning } from '../../../main/socket/client.ts';
import { job } from '../../unit/desktop/stand-ins.ts';
import { aHome, aServer, playedWork, rawly } from './socket-house.ts';

async function running(home: string) {
  const runningTilelift = await connectToRunning(home);
  if (!runningTilelift) throw new Error('nobody is there');
  onTestFinished(() => runningTilelift.disconnect());
  return runningTilelift;
}

const script = join(import.meta.dirname, 'serving-process.ts');
async function serving(home: string) {
  const child = spawn(process.execPath, [script, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  return child;
}

it('the process that holds the journal answers for status, jobs and rules, acts and accepts an upload', async () => {
  const home = await aHome();
  const { asked: receivedAsks } = await aServer(home);
  const { greeting, ask } = await running(home);
  expect(greeting).toMatchObject({ owner: 'watch', version: '1.2.3', pid: process.pid });
  expect((await ask('status', {})).jobs.uploading).toBe(1);
  expect((await ask('jobs', {})).jobs).toEqual([job({ id: 'a' })]);
  expect(await ask('rules', {})).toEqual([]);
  expect(await ask('sources', { ruleId: null })).toEqual({ sources: [], isCut: false });
  const decision = { ruleId: 'r', path: 'Kai', decision: 'upload' } as const;
  expect(await ask('decide', decision)).toEqual({ done: null });
  expect(await ask('act', { jobId: 'a', action: 'pause' })).toEqual({ done: null, job: job({ id: 'a' }) });
  const body = { name: 'Reichstag', type: '3DTILES', options: { sourceType: 'CITYGML' } } as const;
  const request = { accountId: null, paths: ['/data/a.zip'], body, acceptForecast: false };
  const added = await ask('submit', { job: request, again: true });
  expect(added).toEqual({ kind: 'new', job: job({ id: 'a' }), forecast: null });
  expect(receivedAsks).toEqual(['upload r Kai', 'pause a', 'submit Reichstag again']);
});

it('the process that holds the journal streams the progress of a job and answers with its end', async () => {
  const home = await aHome();
  const { change, listeners } = await aServer(home);
  const { ask } = await running(home);
  const progress: number[] = [];
  const end = ask('follow', { jobId: 'a' }, ({ bytesDone }) => progress.push(bytesDone));
  await vi.waitFor(() => expect(progress).toEqual([0]));
  change({ bytesDone: 7 });
  await vi.waitFor(() => expect(progress).toEqual([0, 7]));
  change({ status: 'complete', endedAt: 9 });
  expect(await end).toMatchObject({ status: 'complete', endedAt: 9 });
  expect(listeners.size).toBe(0);
});

it('the process that holds the journal drops subscribers whose connection closed', async () => {
  const home = await aHome();
  const { listeners } = await aServer(home);
  const runningTilelift = await running(home);
  const end = runningTilelift.ask('follow', { jobId: 'a' });
  await vi.waitFor(() => expect(listeners.size).toBe(1));
  runningTilelift.disconnect();
  await expect(end).rejects.toMatchObject({ code: 'socket-lost' });
  await vi.waitFor(() => expect(listeners.size).toBe(0));
});

it('the process that holds the journal reports an unknown job', async () => {
  const home = await aHome();
  await aServer(home);
  const { ask } = await running(home);
  await expect(ask('follow', { jobId: 'other' })).rejects.toMatchObject({ code: 'job-unknown' });
});

it('the process that holds the journal removes its socket and files when it stops', async () => {
  const home = await aHome();
  const { server } = await aServer(home);
  const place = readSocketAddress(home);
  await server.stop();
  expect(await connectToRunning(home)).toBeNull();
  expect(await readdir(home)).toEqual(['socket']);
  expect(await readdir(join(home, 'socket'))).toEqual([]);
  expect(place?.address).toBe(join(home, 'socket', 'tilelift.sock'));
});

it('the process that holds the journal serves a folder whose path is too long for a socket', async () => {
  const home = join(await aHome(), 'a-long-name-'.repeat(12));
  await mkdir(home);
  const { server } = await aServer(home);
  const folder = dirname(readSocketAddress(home)?.address ?? '');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await running(home)).greeting.owner).toBe('watch');
  await server.stop();
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});

it('socket of a killed process: refuses connections and is replaced by the next process', async () => {
  const home = await aHome();
  const child = await serving(home);
  expect((await running(home)).greeting.pid).toBe(child.pid);
  const childExited = once(child, 'exit');
  child.kill('SIGKILL');
  await childExited;
  expect(await readdir(join(home, 'socket'))).toEqual(['tilelift.sock']);
  expect(await connectToRunning(home)).toBeNull();
  await aServer(home);
  expect((await running(home)).greeting.pid).toBe(process.pid);
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('another user', () => {
  const nobodyUid = 65_534;
  const as = (uid: number, address: string) =>
    spawnSync(
      process.execPath,
      [
        '-e',
        `require('net').connect(${JSON.stringify(address)})
          .on('connect', () => process.exit(0)).on('error', (e) => { console.log(e.code); process.exit(1) })`,
      ],
      { uid, gid: uid, encoding: 'utf8' },
    );

  it('S128: another user: denies another user the socket and the file that names it, whatever the folder above allows', async () => {
    const home = await aHome();
    await aServer(home);
    await chmod(home, 0o777);
    const { address } = readSocketAddress(home) ?? { address: '' };
    expect(as(0, address).status).toBe(0);
    const attempt = as(nobodyUid, address);
    expect({ status: attempt.status, said: attempt.stdout.trim() }).toEqual({ status: 1, said: 'EACCES' });
    expect((await stat(join(home, 'socket.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, 'socket'))).mode & 0o777).toBe(0o700);
  });
});

it('socket folder that is a link: is rejected', async () => {
  const home = await aHome();
  const otherHome = await aHome();
  const { symlink } = await import('node:fs/promises');
  await symlink(otherHome, join(home, 'socket'));
  await expect(aServer(home)).rejects.toThrow('not a folder of this user');
});

describe('stranger at the socket', () => {
  it.each([
    ['an earlier version', `{"tilelift":1,"key":"${'0'.repeat(64)}"}\n`, 'socket-version'],
    ['a later version', '{"tilelift":3}\n', 'socket-version'],
    ['no nonce', '{"tilelift":2}\n', 'socket-misunderstood'],
    ['no JSON', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'socket-misunderstood'],
    ['too long a line', `${'x'.repeat(2_000)}`, 'socket-misunderstood'],
    ['a request before the key', '{"id":0,"ask":"status"}\n', 'socket-misunderstood'],
  ])(
    'S132: stranger at the socket: sends an error to a client with %s and disconnects it',
    async (_, line, code) => {
      const home = await aHome();
      const { asked: receivedAsks } = await aServer(home);
      const rawConnection = await rawly(home);
      rawConnection.say(line);
      await rawConnection.closed;
      expect(rawConnection.lines().map((text) => JSON.parse(text))).toEqual([
        { id: null, error: expect.objectContaining({ code }) },
      ]);
      expect(receivedAsks).toEqual([]);
    },
  );

  it('the socket disconnects a silent client', async () => {
    const home = await aHome();
    const { serveSocket } = await import('../../../main/socket/server.ts');
    const { silentLog } = await import('../../../main/log.ts');
    const server = await serveSocket({
      ...{ home, owner: 'watch', version: '1', work: playedWork().work, log: silentLog },
      timing: { helloMs: 1 },
    });
    onTestFinished(() => server.stop());
    const rawConnection = await rawly(home);
    await rawConnection.closed;
    expect(rawConnection.lines()).toEqual([]);
  });

  it('S133: stranger at the socket: gets an error for invalid requests with the right key, without affecting others', async () => {
    const home = await aHome();
    await aServer(home);
    const rawConnection = await rawly(home);
    await rawConnection.hello();
    const nonsense = [
      '{"id":1,"ask":"anything"}',
      '{"id":2,"ask":"act","jobId":"a","action":"remove"}',
      '{"id":3,"ask":"submit","job":{"paths":["relative"]}}',
      '{"id":-1,"ask":"status"}',
      '[]',
      'null',
      '\u0000\u0001',
    ];
    rawConnection.say(`${nonsense.join('\n')}\n`);
    await vi.waitFor(() => expect(rawConnection.lines()).toHaveLength(2 + nonsense.length));
    const errorCodes = rawConnection
      .lines()
      .slice(2)
      .map((line) => JSON.parse(line));
    expect(errorCodes.map(({ id, error }) => [id, error.code])).toEqual(
      [1, 2, 3, null, null, null, null].map((id) => [id, 'socket-misunderstood']),
    );
    expect((await (await running(home)).ask('status', {})).health).toBe('failing');
  });

  it('stranger at the socket: gets an error for a repeated request number and for too many requests', async () => {
    const home = await aHome();
    await aServer(home);
    const rawConnection = await rawly(home);
    await rawConnection.hello();
    const ask = (id: number) => `${JSON.stringify({ id, ask: 'follow', jobId: 'a' })}\n`;
    rawConnection.say(
      [ask(0), ask(0), ...Array.from({ length: 100 }, (_, index) => ask(index + 1))].join(''),
    );
    await vi.waitFor(() => {
      const refusedLines = rawConnection.lines().filter((line) => line.includes('socket-misunderstood'));
      expect(refusedLines.map((line) => JSON.parse(line).id)).toEqual([0, 100]);
    });
  });
});

it.each([
  [
    'speaks of another version',
    '{"id":null,"error":{"code":"socket-version","retryable":false,"subject":"9.9"}}\n',
    'socket-version',
  ],
  ['says nonsense', 'hello\n', 'socket-unproven'],
  ['ends at once', null, 'socket-lost'],
])('command: reports that the other side %s', async (_, line, code) => {
  const home = await aHome();
  const address = join(home, 's');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(line ?? '');
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  onTestFinished(() => {
    server.close();
  });
  await writeFile(join(home, 'socket.json'), JSON.stringify({ address, key: 'k'.repeat(64) }));
  await expect(connectToRunning(home)).rejects.toMatchObject({ code });
});

it('command: stops waiting for a greeting', async () => {
  const home = await aHome();
  const address = join(home, 's');
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(address, resolve));
  onTestFinished(() => {
    server.close();
  });
  await writeFile(join(home, 'socket.json'), JSON.stringify({ address, key: 'k'.repeat(64) }));
  await expect(connectToRunning(home, 1)).rejects.toMatchObject({ code: 'socket-lost' });
});

it('command: finds no process if the file that names the socket is damaged', async () => {
  const home = await aHome();
  await writeFile(join(home, 'socket.json'), '{"address":');
  expect(await connectToRunning(home)).toBeNull();
});
