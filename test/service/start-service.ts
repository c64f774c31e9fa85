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
import type {
  Behaviour,
  EmbeddedService,
  ExternalStorage as ExternalSettings,
  ServiceSettings,
} from './model.ts';
import { makeServiceClock } from './service-clock.ts';
import { defaultSettings, storageBucket } from './settings.ts';
import { EmbeddedStorage } from './storage/embedded-storage.ts';

/**
 * Starts the embedded service and its storage. Rejects if a port is taken. Without `dataFolder` it creates a
 * temporary folder, which `stop()` removes.
 */
export async function startEmbeddedService(
  overrides: Partial<ServiceSettings> = {},
): Promise<EmbeddedService> {
  const temporary =
    overrides.dataFolder === undefined ? await mkdtemp(join(tmpdir(), 'tilelift-service-')) : null;
  const dataFolder = overrides.dataFolder ?? temporary ?? '';
  await mkdir(dataFolder, { recursive: true });
  const settings: ServiceSettings = { ...defaultSettings, ...overrides, dataFolder };
  // Seeds change it.
  const behaviour: { -readonly [Name in keyof Behaviour]: Behaviour[Name] } & ServiceSettings = settings;

  const clock = makeServiceClock();
  const steady = () => clock.steady();
  const endController = new AbortController();
  const faults = new FaultBook(Boolean(settings.certificate && settings.impostorCertificate));
  const log = new RequestLog();
  const house = {
    faults,
    log,
    now: () => clock.now(),
    signal: endController.signal,
    hostName: settings.hostName,
    certificate: settings.certificate,
    impostorCertificate: settings.impostorCertificate,
  };
  const clients = new Clients(settings.dashboardClients, fetch, behaviour);
  const tokens = new Tokens(behaviour, steady, settings.accountName);
  const assets = new AssetBook(settings.tilingMs, clock, settings.accountName);
  if (settings.beyondContract) assets.addWorldTerrain();
  const addresses = { api: '', auth: '', storage: '' };

  const embedded = new EmbeddedStorage(
    {
      ...settings,
      bucket: storageBucket,
      endpoint: () => addresses.storage,
      checksums: () => behaviour.checksums,
    },
    clock,
  );
  const external = settings.externalStorage && (await openExternal(settings.externalStorage, settings));
  const storage = external ?? embedded;
  const page = new AuthorizationPage(clients, tokens, settings, behaviour, steady);
  let storageListener: Listener | null = null;
  const control = makeControl({
    faults,
    log,
    clock,
    tokens,
    clients,
    assets,
    behaviour,
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
  const desk = (account: string) => ({
    assets: assets.of(account),
    storage,
    baseUrl: () => addresses.api,
    endpoint: () => settings.storageLine?.() ?? storage.endpoint(),
    omitEndpoint: settings.omitEndpoint,
    beyondContract: settings.beyondContract,
  });

  const listeners: Listener[] = [];
  const stop = async () => {
    endController.abort();
    await Promise.all([...listeners, storageListener].map((listener) => listener?.close()));
    external?.close();
    if (temporary !== null) await rm(temporary, { recursive: true, force: true });
  };
  const open = async (listenerPromise: Promise<Listener>): Promise<string> => {
    const listener = await listenerPromise;
    listeners.push(listener);
    return listener.url;
  };
  try {
    await storage.prepare();
    addresses.api = await open(openRoom(apiRoom(settings.apiPort, clients, tokens, desk, behaviour), house));
    addresses.auth = await open(openRoom(authRoom(settings.authPort, page, assets, behaviour), house));
    if (!external) storageListener = await openRoom(embedded.room(settings.storagePort), house);
    addresses.storage = storageListener?.url ?? storage.endpoint();
    const controlUrl = await open(openControlRoom(control, settings.controlPort));
    const { api: baseUrl, storage: storageUrl } = addresses;
    return {
      baseUrl,
      get authUrl() {
        return addresses.auth + behaviour.signInPath;
      },
      storageUrl,
      controlUrl,
      control,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loaded on demand, because the AWS SDK takes more start-up time and memory than the rest. */
async function openExternal(settings: ExternalSettings, { uploadCredentialSeconds }: ServiceSettings) {
  const { ExternalStorage } = await import('./storage/external-storage.ts');
  return new ExternalStorage(settings, uploadCredentialSeconds);
}
