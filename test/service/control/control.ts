import type { Clients } from '../account/clients.ts';
import type { Tokens } from '../account/tokens.ts';
import type { AssetBook } from '../assets/asset-book.ts';
import type { FaultBook } from '../http/fault-book.ts';
import type { RequestLog } from '../http/room.ts';
import type { Behaviour, Control } from '../model.ts';
import type { ServiceClock } from '../service-clock.ts';
import type { EmbeddedStorage } from '../storage/embedded-storage.ts';
import { readScopes, sow } from './sow.ts';

/** A room's listener, which can be closed and reopened at the same port. */
interface RoomDoor {
  open(): Promise<void>;
  close(): Promise<void>;
}

interface ControlledParts {
  readonly faults: FaultBook;
  readonly log: RequestLog;
  readonly clock: ServiceClock;
  readonly tokens: Tokens;
  readonly clients: Clients;
  readonly behaviour: { -readonly [Name in keyof Behaviour]: Behaviour[Name] };
  readonly assets: AssetBook;
  /** Undefined for external storage. */
  readonly storage: EmbeddedStorage | undefined;
  readonly storageDoor: RoomDoor;
}

/** The in-process control interface. Calls for the embedded storage throw an error without it. */
export function makeControl(parts: ControlledParts): Control {
  const { faults, log, clock, tokens, assets } = parts;
  const storage = (): EmbeddedStorage => {
    if (!parts.storage)
      throw new Error('This needs the embedded storage; the service runs with an external one.');
    return parts.storage;
  };
  return {
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    setTiling: (course) => assets.setTiling(course),
    expireUploadCredentials: (assetId) => storage().credentials.expire(assetId),
    expireAccessTokens: (account) => tokens.expireAccessTokens(account),
    revokeRefreshTokens: (account) => tokens.revokeRefreshTokens(account),
    skewClock: (ms) => clock.skew(ms),
    seed: (seed) => sow(seed, parts),
    seedAsset: (asset) => assets.add({ status: 'COMPLETE', ...asset }).id,
    changeAsset: ({ id, ...fields }) => assets.change(id, fields),
    makeAccessToken: (scopes) => tokens.make(readScopes(scopes)),
    assets: () => assets.all().map((asset) => ({ ...asset })),
    ownerOf: (assetId) => assets.ownerOf(assetId) ?? null,
    optionsOf: (assetId) => assets.optionsOf(assetId) ?? null,
    objects: async (prefix = '') => storage().objects.list(prefix),
    compared: (prefix) => storage().objects.compared(prefix),
    readObject: (key) => storage().objects.read(key),
    openUploads: () => storage().uploads.list(),
    loseParts: ({ key, numbers }) => storage().uploads.lose(key, numbers),
    removeObjects: (prefix) => storage().objects.remove(prefix),
    closeStorage: async () => {
      storage();
      await parts.storageDoor.close();
    },
    openStorage: async () => {
      storage();
      await parts.storageDoor.open();
    },
    requests: () => log.all(),
    issuedSecrets: () => [...tokens.secrets(), ...(parts.storage?.credentials.secrets() ?? [])],
  };
}
