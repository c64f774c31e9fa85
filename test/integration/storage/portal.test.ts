import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, createServer as createDoor, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../main/outside.ts';
import { planFile } from '../../../main/transfer/plan.ts';
import { transfer } from '../../../main/transfer/transfer.ts';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { launchSink, type Sink } from '../../../tools/bench/sink/launch.ts';
import { withWaitCheck } from '../../wait-check.ts';

const mebibyte = 1024 * 1024;
const size = 60 * mebibyte;

let folder: string;
let sink: Sink;
let portal: Server;
let asked: number;
let ca: string;
const open: { close(): unknown }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-portal-'));
  const other = join(folder, 'other');
  await mkdir(other);
  const [ours, theirs] = await Promise.all([makeCertificate(folder), makeCertificate(other)]);
  ca = readFileSync(ours.caFile, 'utf8');
  sink = await launchSink(ours);
  asked = 0;
  const names = { cert: readFileSync(theirs.certFile), key: readFileSync(theirs.keyFile) };
  portal = createServer(names, (_request, response) => {
    asked += 1;
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Sign in to this network</html>');
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  portal.closeAllConnections();
  portal.close();
  await sink.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A name that leads now here, now there: what was open to the other place is cut off. */
async function openDoor(to: number): Promise<{ readonly port: number; leadTo(port: number): void }> {
  let target = to;
  const sockets = new Set<Socket>();
  const door = createDoor((from) => {
    const there = connect(target, '127.0.0.1');
    for (const socket of [from, there]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    }
    from.on('close', () => there.destroy()).pipe(there);
    there.on('close', () => from.destroy()).pipe(from);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  open.push(door);
  return {
    port: (door.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('network that intercepts storage', () => {
  it('is waited out with its own certificate: no confirmed part is sent again or discarded', async () => {
    const { bucket, endpoint } = sink.target('https');
    const real = Number(new URL(endpoint).port);
    const { port: portalPort } = portal.address() as AddressInfo;
    const door = await openDoor(real);
    const storage = createStorageClient(
      {
        bucket,
        endpoint: `https://127.0.0.1:${door.port}`,
        prefix: 'p/',
        accessKey: 'k',
        secretAccessKey: 's',
        sessionToken: 't',
      },
      { ca: [ca], workers: 2 },
    );
    open.push(storage);
    const path = join(folder, 'file');
    await writeFile(path, '');
    await truncate(path, size);
    const { mtimeMs } = await stat(path);
    const file = {
      id: 1,
      path,
      key: 'file',
      size,
      mtimeMs,
      uploadId: null,
      uploadChecksum: null,
      parts: [],
      completeSent: false,
    };
    const told: string[] = [];
    const confirmed: number[] = [];
    let done = false;

    await transfer([{ ...file, plan: planFile(size) }], {
      storage,
      record: {
        uploadBegun: () => {},
        completeSent: () => {},
        partConfirmed: async (_, { number }) => {
          confirmed.push(number);
          if (confirmed.length === 2) door.leadTo(portalPort);
        },
        fileConfirmed: async () => {
          done = true;
        },
        partsDropped: () => expect.fail('parts were thrown away'),
        identityTaken: () => {},
        uploadForgotten: () => expect.fail('the upload was thrown away'),
        resent: () => expect.fail('something confirmed was sent again'),
      },
      // No waiting of minutes: the network comes back once it has been met a few times.
      clock: withWaitCheck<Clock>({
        ...systemClock,
        sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal),
      }),
      random: () => 1,
      signal: new AbortController().signal,
      credentialsEndAt: systemClock.now() + 3_600_000,
      parallel: 2,
      onTrouble: ({ code }) => {
        told.push(code);
        if (told.filter((one) => one === 'certificate-untrusted').length === 20) door.leadTo(real);
      },
    });

    expect(done).toBe(true);
    expect(told).toContain('certificate-untrusted');
    expect(confirmed.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // It never got a request to read: whoever is not trusted is told nothing.
    expect(asked).toBe(0);
    expect(await sink.report()).toMatchObject({ objects: 1, bytes: size });
  });
});
