import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../tools/bench/certificate.ts';
import type { EmbeddedService, ServiceSettings } from '../service/model.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import type { ConfinedJob, ConfinedOutcome } from './confined-job.ts';
import { startMicrosocks } from './microsocks.ts';
import { type OnlyWayOut, openOnlyWayOut } from './only-way-out.ts';
import type { ProxyProcess } from './proxy-process.ts';
import { startTinyproxy, type TinyproxyOptions } from './tinyproxy.ts';

const login = { username: 'surveyor', password: 'theodolite' };
const program = join(import.meta.dirname, 'confined-job.ts');
const smallBytes = 300_000;
/** The size of two parts. */
const largeBytes = 12 * 1024 * 1024;

let folder: string;
let wayOut: OnlyWayOut | null = null;
let certificate: { readonly caFile: string; readonly cert: string; readonly key: string };
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-network-'));
  await mkdir(join(folder, 'source'));
  await writeFile(join(folder, 'source', 'small.gml'), randomBytes(smallBytes));
  await writeFile(join(folder, 'source', 'large.gml'), randomBytes(largeBytes));
  const serverCertificate = await makeCertificate(folder);
  certificate = {
    caFile: serverCertificate.caFile,
    cert: await readFile(serverCertificate.certFile, 'utf8'),
    key: await readFile(serverCertificate.keyFile, 'utf8'),
  };
  wayOut = await openOnlyWayOut().catch((error: unknown) => {
    console.warn(`No network namespace, so the proxy is not the only way out here: ${String(error)}`);
    return null;
  });
});
afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close();
});
afterAll(async () => {
  await wayOut?.close();
  await rm(folder, { recursive: true, force: true });
});

async function startService(settings: Partial<ServiceSettings> = {}): Promise<EmbeddedService> {
  const service = await startEmbeddedService({ tilingMs: 50, ...settings });
  open.push({ close: () => service.stop() });
  return service;
}

/** The proxy's address inside the namespace. */
const address = () => wayOut?.hostAddress ?? '127.0.0.1';

async function startProxy(options: Partial<TinyproxyOptions> = {}): Promise<ProxyProcess> {
  const proxy = await startTinyproxy({ folder, address: address(), ...options });
  open.push(proxy);
  return proxy;
}

/** Runs the main job in a network that reaches only the proxy. */
async function runBehind(
  proxyAddress: string,
  service: EmbeddedService,
  environment: NodeJS.ProcessEnv = {},
  changes: Partial<ConfinedJob> = {},
): Promise<ConfinedOutcome> {
  const job: ConfinedJob = {
    folder: await mkdtemp(join(folder, 'tilelift-')),
    baseUrl: service.baseUrl,
    authUrl: service.authUrl,
    source: join(folder, 'source'),
    caFile: null,
    storage: null,
    ...changes,
  };
  const [command = '', ...programArgs] = [
    ...(wayOut?.prefix ?? []),
    process.execPath,
    program,
    JSON.stringify(job),
  ];
  const { stdout } = await promisify(execFile)(command, programArgs, {
    env: { PATH: process.env.PATH, HTTP_PROXY: proxyAddress, HTTPS_PROXY: proxyAddress, ...environment },
    timeout: 25_000,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ConfinedOutcome;
}

async function sizes(service: EmbeddedService): Promise<number[]> {
  return (await service.control.objects()).map((object) => object.size).sort((a, b) => a - b);
}

const complete = () => ({
  straight: wayOut === null,
  status: 'complete',
  assetStatus: 'COMPLETE',
  error: null,
});

describe('network with a proxy as its only connection', () => {
  it('the main job completes with a proxy as its only connection', async () => {
    const service = await startService();
    const proxy = await startProxy();
    expect(await runBehind(`http://${proxy.place}`, service)).toEqual(complete());
    expect(await sizes(service)).toEqual([smallBytes, largeBytes]);
  });

  it('S149: network with a proxy as its only connection: completes the main job through tunnels, with a proxy password and only the extra file knowing the certificates', async () => {
    const service = await startService({ certificate });
    const proxy = await startProxy({ login });
    const address = `http://${login.username}:${login.password}@${proxy.place}`;
    const trust = { NODE_EXTRA_CA_CERTS: certificate.caFile };
    const { caFile } = certificate;
    expect(await runBehind(address, service, trust, { caFile })).toEqual(complete());
    expect(await sizes(service)).toEqual([smallBytes, largeBytes]);
  });

  it('S147: network with a proxy as its only connection: completes the main job where storage is beyond a SOCKS proxy with a password, after a dead proxy', async () => {
    const service = await startService({ certificate });
    const proxy = await startProxy();
    const socks = await startMicrosocks({ address: address(), login });
    open.push(socks);
    const deadProxy = await startProxy();
    await deadProxy.close();
    const trust = { NODE_EXTRA_CA_CERTS: certificate.caFile };
    const changes = {
      caFile: certificate.caFile,
      storage: { ways: `PROXY ${deadProxy.place}; SOCKS5 ${socks.place}`, login },
    };
    expect(await runBehind(`http://${proxy.place}`, service, trust, changes)).toEqual(complete());
    expect(await sizes(service)).toEqual([smallBytes, largeBytes]);
  });

  it('S148: network with a proxy as its only connection: trusts what the system’s own store of certificates knows', async () => {
    const service = await startService({ certificate });
    const proxy = await startProxy();
    // OpenSSL's path of the system's certificate store. Node's `fetch`, which replaces Chromium's, reads it
    // too.
    const system = { SSL_CERT_FILE: certificate.caFile, SSL_CERT_DIR: folder, NODE_USE_SYSTEM_CA: '1' };
    expect(await runBehind(`http://${proxy.place}`, service, system)).toEqual(complete());
    expect(await sizes(service)).toEqual([smallBytes, largeBytes]);
  });

  it('S150: network with a proxy as its only connection: sends nothing to a service with an untrusted certificate', async () => {
    const service = await startService({ certificate });
    const proxy = await startProxy();
    const outcome = await runBehind(`http://${proxy.place}`, service);
    expect(outcome.error).toBe('certificate-untrusted');
    expect(service.control.requests()).toEqual([]);
  });

  it('network with a proxy as its only connection: reports that the proxy needs a password', async () => {
    const service = await startService();
    const proxy = await startProxy({ login });
    expect((await runBehind(`http://${proxy.place}`, service)).error).toBe('proxy-authentication');
    expect(service.control.requests()).toEqual([]);
  });
});
