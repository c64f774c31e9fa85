import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { FaultBook } from '../http/fault-book.ts';
import type { EmbeddedService, Fault } from '../model.ts';
import { startEmbeddedService } from '../start-service.ts';
import { bearer, type Created, call, createAsset, postJson, register, s3For } from './contract-client.ts';

let service: EmbeddedService;
let created: Created;
let token: Record<string, string>;
beforeEach(async () => {
  service = await startEmbeddedService();
  created = await createAsset(service);
  token = bearer(service.control.makeAccessToken(['assets:list', 'assets:write']));
});
afterEach(() => service.stop());

const list = () => call(`${service.baseUrl}/v1/assets`, { headers: token });
const putObject = (name: string, Body: string | Uint8Array = 'data') => {
  const { bucket: Bucket, prefix } = created.uploadLocation;
  const client = s3For(service, created.uploadLocation);
  return client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body }));
};
const keys = async () => (await service.control.objects()).map(({ key }) => key.split('/').at(-1));
/** Error code of the system for a failed request. */
async function failure(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
  } catch (error) {
    const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
    return code ?? cause?.code;
  }
  return undefined;
}

describe('fault', () => {
  const status = (status: number) => ({ kind: 'status', status }) as const;
  const meetAll = (
    faults: readonly Fault[],
    requests: readonly (readonly ['api' | 'storage', string, string])[],
  ) => {
    const book = new FaultBook();
    for (const fault of faults) book.add(fault);
    return requests.map(([room, method, path]) => {
      const action = book.meet(room, method, path)?.action;
      return action?.kind === 'status' ? action.status : undefined;
    });
  };
  const get = ['api', 'GET', '/v1/assets?x=1'] as const;

  it('a fault applies once by default', () => {
    expect(meetAll([{ match: { room: 'api' }, action: status(500) }], [get, get])).toEqual([500, undefined]);
  });

  it('a fault lets `after` requests pass and applies `times`', () => {
    const fault = { match: { room: 'api', after: 1, times: 2 }, action: status(500) } as const;
    expect(meetAll([fault], [get, get, get, get])).toEqual([undefined, 500, 500, undefined]);
  });

  it('a fault requires host, method, path and query to match', () => {
    const fault = {
      match: { room: 'api', method: 'get', path: 'assets\\?x=1$' },
      action: status(500),
    } as const;
    const otherFaults = [
      ['storage', 'GET', '/v1/assets?x=1'],
      ['api', 'POST', '/v1/assets?x=1'],
      ['api', 'GET', '/v1/assets?x=12'],
    ] as const;
    expect(meetAll([fault], [...otherFaults, get])).toEqual([undefined, undefined, undefined, 500]);
  });

  it('a fault applies one per request: the next fault meets the next request', () => {
    const faults = [500, 503].map((code) => ({ match: { room: 'api' }, action: status(code) }) as const);
    expect(meetAll(faults, [get, get, get])).toEqual([500, 503, undefined]);
  });

  it('a fault counts every matching request towards `after`, also after another fault', () => {
    const faults = [
      { match: { room: 'api' }, action: status(500) },
      { match: { room: 'api', after: 1 }, action: status(503) },
    ] as const;
    expect(meetAll(faults, [get, get, get])).toEqual([500, 503, undefined]);
  });

  it('a fault ends when faults are cleared', async () => {
    service.control.addFault({ match: { room: 'api', times: 9 }, action: status(500) });
    expect((await list()).status).toBe(500);
    service.control.clearFaults();
    expect((await list()).status).toBe(200);
  });
});

it('a cut-request fault does no work even if the body is shorter', async () => {
  service.control.addFault({ match: { room: 'storage' }, action: { kind: 'cut-request', afterBytes: 1000 } });
  expect(await failure(putObject('short'))).toBe('ECONNRESET');
  expect(await keys()).toEqual([]);
});

it('cut-request fault: resets at once for 0 bytes', async () => {
  service.control.addFault({ match: { room: 'api' }, action: { kind: 'cut-request', afterBytes: 0 } });
  await expect(list()).rejects.toThrow();
  expect((await list()).status).toBe(200);
});

it('a cut-answer fault does the work and sends no answer', async () => {
  service.control.addFault({
    match: { room: 'api', method: 'POST' },
    action: { kind: 'cut-answer', afterBytes: 0 },
  });
  const assetCount = service.control.assets().length;
  const body = { name: 'Lost', type: 'IMAGERY', options: { sourceType: 'RASTER_IMAGERY' } };
  await expect(postJson(`${service.baseUrl}/v1/assets`, body, token)).rejects.toThrow();
  expect(service.control.assets()).toHaveLength(assetCount + 1);
  expect(service.control.assets().at(-1)).toMatchObject({ name: 'Lost', status: 'AWAITING_FILES' });
});

it('cut-answer fault: sends exactly the configured number of bytes, head and body together', async () => {
  const answer = () =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${service.baseUrl}/v1/assets`, { headers: token, agent: false });
      sent.once('socket', (socket) => socket.once('close', () => resolve(socket.bytesRead)));
      sent.on('response', (response) => response.resume().on('error', () => undefined));
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET') reject(error);
      });
      sent.end();
    });
  for (const afterBytes of [1, 40, 300]) {
    service.control.addFault({ match: { room: 'api' }, action: { kind: 'cut-answer', afterBytes } });
    expect(await answer()).toBe(afterBytes);
  }
});

it('cut-answer fault: resets a kept connection after a shorter complete answer', async () => {
  service.control.addFault({ match: { room: 'api' }, action: { kind: 'cut-answer', afterBytes: 1e6 } });
  const agent = new Agent({ keepAlive: true });
  const sent = request(`${service.baseUrl}/v1/assets`, { headers: token, agent }).end();
  sent.on('error', () => undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { socket } = response.resume();
  if (!socket.destroyed) await once(socket, 'close');
  agent.destroy();
  expect(response.statusCode).toBe(200);
});

it('delay, throttle and stall faults read the body no faster than configured', async () => {
  const body = Buffer.alloc(200_000, 1);
  service.control.addFault({
    match: { room: 'storage' },
    action: { kind: 'throttle', bytesPerSecond: 1_000_000 },
  });
  const startedAt = performance.now();
  await putObject('slow', body);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(180);
  expect((await service.control.objects())[0]?.size).toBe(body.length);
});

it('delay, throttle and stall faults: don’t keep the service from stopping', async () => {
  const otherService = await startEmbeddedService();
  for (const action of [{ kind: 'stall' }, { kind: 'hold' }, { kind: 'delay', ms: 600_000 }] as const) {
    otherService.control.addFault({ match: { room: 'api' }, action });
  }
  const waitingRequests = Promise.allSettled([
    register(otherService),
    register(otherService),
    register(otherService),
  ]);
  await expect.poll(() => otherService.control.requests().length).toBe(3);
  await otherService.stop();
  expect((await waitingRequests).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

describe('raw answer', () => {
  /** The raw answer to a list request. */
  const whatComes = async () => {
    const { port } = new URL(service.baseUrl);
    const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
    socket.write('GET /v1/assets HTTP/1.1\r\nHost: x\r\n\r\n');
    let text = '';
    let failure: string | undefined;
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.code;
    });
    await once(socket, 'close').catch(() => {});
    return { text, failure };
  };
  const base64 = Buffer.from('220 mail.example ESMTP ready\r\n').toString('base64');

  it.each(['close', 'reset'] as const)(
    'the raw answer writes a raw answer byte for byte before the connection closes: %s',
    async (closeKind) => {
      const name = 'a mail server';
      service.control.addFault({
        name,
        match: { room: 'api' },
        action: { kind: 'raw', base64, ending: closeKind },
      });
      const { text, failure } = await whatComes();
      expect(text).toBe('220 mail.example ESMTP ready\r\n');
      expect(failure).toBe(closeKind === 'reset' ? 'ECONNRESET' : undefined);
      expect(service.control.requests().at(-1)).toMatchObject({ fault: 'raw', faultName: name, status: 0 });
      expect((await list()).status).toBe(200);
    },
  );
});

describe('foreign server', () => {
  let folder: string;
  let ca: string;
  let secure: EmbeddedService;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tilelift-impostor-'));
    const [ownCertificate, otherCertificate] = [
      await certificateIn(join(folder, 'own')),
      await certificateIn(join(folder, 'other')),
    ];
    ca = ownCertificate.ca;
    secure = await startEmbeddedService({
      certificate: ownCertificate,
      impostorCertificate: otherCertificate,
    });
  });
  afterEach(async () => {
    await secure.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function certificateIn(at: string) {
    await mkdir(at);
    const { caFile, certFile, keyFile } = await makeCertificate(at);
    const [ca, cert, key] = await Promise.all(
      [caFile, certFile, keyFile].map((path) => readFile(path, 'utf8')),
    );
    return { ca: ca ?? '', cert: cert ?? '', key: key ?? '' };
  }
  /** Status and body, or the code of the failure. */
  const ask = (agent: SecureAgent) =>
    new Promise<string>((resolve) => {
      const request = secureRequest(`${secure.baseUrl}/v1/assets`, { agent }, async (response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        resolve(`${response.statusCode} ${text.slice(0, 40)}`);
      });
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      request.end();
    });

  it('the foreign server takes over the configured number of connections, kept ones included', async () => {
    const agent = new SecureAgent({ keepAlive: true, ca });
    expect(await ask(agent)).toMatch(/^401 /);
    secure.control.addFault({ match: { room: 'api' }, action: { kind: 'impostor', connections: 2 } });
    expect(await ask(agent)).toMatch(/^(ECONNRESET|EPIPE)$/);
    for (const _ of [1, 2]) expect(await ask(agent)).toMatch(/CERT|LEAF_SIGNATURE/);
    expect(await ask(agent)).toMatch(/^401 /);
    agent.destroy();
  });

  it('the foreign server shows a login page to clients that accept its certificate, until faults are cleared', async () => {
    const trusting = new SecureAgent({ rejectUnauthorized: false });
    secure.control.addFault({ match: { room: 'api' }, action: { kind: 'impostor', connections: 1000 } });
    await ask(trusting);
    expect(await ask(trusting)).toMatch(/^200 <!DOCTYPE html>/);
    secure.control.clearFaults();
    expect(await ask(trusting)).toMatch(/^401 /);
  });

  it('the foreign server is refused without its certificate', () => {
    const add = () =>
      service.control.addFault({ match: { room: 'api' }, action: { kind: 'impostor', connections: 1 } });
    expect(add).toThrow('An impostor needs a certificate');
  });
});
