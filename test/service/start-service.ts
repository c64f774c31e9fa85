import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clients } from './account/clients.ts';
import { Tokens } from './account/tokens.ts';
import { apiRoom } from './api/api-room.ts';
import { AssetBook } from './assets/asset-book.ts';
import { authRoom } from './auth/auth-room.ts';
import { AuthorizationPage } from './auth/authorization-page.ts';
import { makeControl } from './control/control.ts';
import { openControlRoom } from './control/control-room.ts';
import { FaultBook } from './http/fault-book.ts';
import type { Listener } from './http/listener.ts';
import { openRoom, RequestLog } from './http/room.ts';
import type { EmbeddedService, ExternalStorage as ExternalSettings, ServiceSettings } from './model.ts';
import { makeServiceClock } from './service-clock.ts';
import { defaultSettings, storageBucket } from './settings.ts';
import { EmbeddedStorage } from './storage/embedded-storage.ts';

/**
 * Starts the stand-in for the service and its storage on 127.0.0.1. Rejects when a port is taken.
 * Without `dataFolder` a temporary one is made, and `stop()` removes it.
 */
export async function startEmbeddedService(given: Partial<ServiceSettings> = {}): Promise<EmbeddedService> {
  const temporary =
    given.dataFolder === undefined ? await mkdtemp(join(tmpdir(), 'tilelift-service-')) : null;
  const dataFolder = given.dataFolder ?? temporary ?? '';
  await mkdir(dataFolder, { recursive: true });
  const settings: ServiceSettings = { ...defaultSettings, ...given, dataFolder };

  const clock = makeServiceClock();
  const steady = () => clock.steady();
  const ending = new AbortController();
  const faults = new FaultBook(Boolean(settings.certificate && settings.impostorCertificate));
  const log = new RequestLog();
  const house = {
    faults,
    log,
    now: () => clock.now(),
    signal: ending.signal,
    certificate: settings.certificate,
    impostorCertificate: settings.impostorCertificate,
  };
  const clients = new Clients(settings.dashboardClients, fetch);
  const tokens = new Tokens(settings, steady);
  const assets = new AssetBook(settings.tilingMs, clock);
  const addresses = { api: '', auth: '', storage: '' };

  const embedded = new EmbeddedStorage(
    { ...settings, bucket: storageBucket, endpoint: () => addresses.storage },
    clock,
  );
  const external = settings.externalStorage && (await openExternal(settings.externalStorage, settings));
  const storage = external ?? embedded;
  const page = new AuthorizationPage(clients, tokens, settings.accountName, steady);
  let storageListener: Listener | null = null;
  const control = makeControl({
    faults,
    log,
    clock,
    tokens,
    assets,
    storage: external ? undefined : embedded,
    storageDoor: {
      close: async () => {
        await storageListener?.close();
        storageListener = null;
      },
      open: async () => {
        const port = Number(new URL(addresses.storage).port);
        storageListener ??= await openRoom(embedded.room(port), house);
      },
    },
  });
  const desk = { assets, storage, baseUrl: () => addresses.api, omitEndpoint: settings.omitEndpoint };

  const listeners: Listener[] = [];
  const stop = async () => {
    ending.abort();
    await Promise.all([...listeners, storageListener].map((listener) => listener?.close()));
    external?.close();
    if (temporary !== null) await rm(temporary, { recursive: true, force: true });
  };
  const open = async (opening: Promise<Listener>): Promise<string> => {
    const listener = await opening;
    listeners.push(listener);
    return listener.url;
  };
  try {
    await storage.prepare();
    addresses.api = await open(openRoom(apiRoom(settings.apiPort, clients, tokens, desk), house));
    addresses.auth = await open(openRoom(authRoom(settings.authPort, page, assets), house));
    if (!external) storageListener = await openRoom(embedded.room(settings.storagePort), house);
    addresses.storage = storageListener?.url ?? storage.endpoint();
    const controlUrl = await open(openControlRoom(control));
    const { api: baseUrl, auth: authUrl, storage: storageUrl } = addresses;
    return { baseUrl, authUrl, storageUrl, controlUrl, control, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loaded only where it is used: the AWS SDK costs more start-up time and memory than all the rest. */
async function openExternal(settings: ExternalSettings, { uploadCredentialSeconds }: ServiceSettings) {
  const { ExternalStorage } = await import('./storage/external-storage.ts');
  return new ExternalStorage(settings, uploadCredentialSeconds);
}
