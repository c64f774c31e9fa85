import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directRoute, type NetworkWay, type ProxyLogin } from '../../main/ports.ts';
import { createStorageClient } from '../../main/workers/storage-client.ts';
import {
  expectWhole,
  halfUploaded,
  openFaultHouse,
  threeParts,
  timesSent,
  uploadWhole,
} from '../faults/fault-house.ts';
import { type House, hasStatus } from '../integration/jobs/house.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startMicrosocks } from './microsocks.ts';
import type { ProxyProcess } from './proxy-process.ts';
import { startTinyproxy } from './tinyproxy.ts';

const address = '127.0.0.1';
const login = { username: 'surveyor', password: 'theodolite:1' };

let folder: string;
let house: House | null = null;
const proxies: ProxyProcess[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await house?.close();
  house = null;
  for (const proxy of proxies.splice(0)) await proxy.close();
});

/** The real job service with only these routes to storage. */
async function openBehind(routes: string, way: Partial<NetworkWay> = {}): Promise<House> {
  const network = { ...directRoute, proxyFor: async () => routes, ...way };
  house = await openFaultHouse({
    jobs: { storageFor: (location) => createStorageClient(location, { way: network }) },
  });
  return house;
}

async function startSocks(login?: ProxyLogin): Promise<ProxyProcess> {
  const proxy = await startMicrosocks({ address, ...(login ? { login } : {}) });
  proxies.push(proxy);
  return proxy;
}

async function startHttp(): Promise<ProxyProcess> {
  const proxy = await startTinyproxy({ folder, address });
  proxies.push(proxy);
  return proxy;
}

describe('SOCKS proxy to storage', () => {
  it('SOCKS proxy to storage: asks the user for its password, and again after a wrong one', async () => {
    const { place } = await startSocks(login);
    const answers = [{ username: 'surveyor', password: 'no' }, login];
    const questions: unknown[] = [];
    const house = await openBehind(`SOCKS5 ${place}`, {
      askProxyLogin: async (proxy, refusedLogin) => {
        questions.push([proxy.host, refusedLogin?.password ?? null]);
        return answers.shift() ?? null;
      },
    });
    const source = await house.source({ 'a.las': threeParts });

    await expectWhole(house, await uploadWhole(house, source), source);

    expect(questions).toEqual([
      [place, null],
      [place, 'no'],
    ]);
  });

  it('SOCKS proxy to storage: holds the upload without its password and continues with it', async () => {
    const { place } = await startSocks(login);
    let knownLogin: typeof login | null = null;
    const house = await openBehind(`SOCKS5 ${place}`, { askProxyLogin: async () => knownLogin });
    const source = await house.source({ 'a.las': threeParts });
    const id = house.add(source);
    await house.until(id, ({ status, error }) => {
      return status === 'uploading' && error?.code === 'proxy-authentication';
    });
    knownLogin = login;
    await expectWhole(house, await house.until(id, hasStatus('complete')), source);
  });

  it('Tilelift never bypasses a SOCKS proxy that can’t connect to storage', async () => {
    const [socks, httpProxy] = [await startSocks(), await startHttp()];
    const house = await openBehind(`SOCKS5 ${socks.place}; PROXY ${httpProxy.place}`);
    await house.service.control.closeStorage();
    const id = house.add(await house.source({ 'a.las': threeParts }));
    const { error } = await house.until(id, (job) => job.waitingFor === 'network' && job.error !== null);
    expect(error).toMatchObject({
      code: 'proxy-unreachable',
      remote: { message: expect.stringContaining(`ConnectionRefused at ${socks.place}`) },
    });
  });
});

it.each(['PROXY', 'SOCKS5'])(
  'proxy that dies during an upload: bypasses a dead proxy of the kind %s without sending confirmed parts again',
  async (kind) => {
    const firstProxy = await (kind === 'PROXY' ? startHttp() : startSocks());
    const secondProxy = await (kind === 'PROXY' ? startSocks() : startHttp());
    const otherKind = kind === 'PROXY' ? 'SOCKS5' : 'PROXY';
    const house = await openBehind(`${kind} ${firstProxy.place}; ${otherKind} ${secondProxy.place}`);
    const { id, source } = await halfUploaded(house);

    await firstProxy.close();
    house.service.control.clearFaults();
    const job = await house.until(id, hasStatus('complete'));

    // The two parts in flight when the proxy died are sent again.
    expect(timesSent(house)).toEqual([1, 1, 2, 2, 1]);
    await expectWhole(house, job, source);
  },
);

it('proxy that dies during an upload: waits for its only proxy and names it in the error', async () => {
  const firstProxy = await startSocks();
  const routes = [`SOCKS5 ${firstProxy.place}`];
  const house = await openBehind('', { proxyFor: async () => routes.join('; ') });
  const { id, source } = await halfUploaded(house);

  await firstProxy.close();
  const { error } = await house.until(id, (job) => job.waitingFor === 'network' && job.error !== null);
  expect(error).toMatchObject({
    code: 'proxy-unreachable',
    subject: { key: 'general.throughProxy', values: { proxy: firstProxy.place } },
  });
  expect(error).not.toHaveProperty('remote');
  routes.push(`SOCKS5 ${(await startSocks()).place}`);
  house.service.control.clearFaults();

  await expectWhole(house, await house.until(id, hasStatus('complete')), source);
  expect(timesSent(house)).toEqual([1, 1, 2, 2, 1]);
});
