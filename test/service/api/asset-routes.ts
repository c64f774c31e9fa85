import { isDeepStrictEqual } from 'node:util';
import type { Scope } from '../account/scopes.ts';
import type { AccountAssets, AssetRecord } from '../assets/asset-book.ts';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { PathParameters, Route } from '../http/router.ts';
import type { UploadStorage } from '../storage/upload-storage.ts';
import { checkCreation, givenAtCreation } from './creation-body.ts';

/** Dependencies of the asset routes. */
export interface AssetDesk {
  readonly assets: AccountAssets;
  readonly storage: UploadStorage;
  /** `{base_url}`, known once the listener has a port. */
  readonly baseUrl: () => string;
  readonly endpoint: () => string;
  readonly omitEndpoint: boolean;
  readonly beyondContract: boolean;
}

/** Contract 2.4 shows an empty object. */
const completionFields = {};

/** The four routes of /v1 (contract 4.5, 4.6, 4.8, 4.9) with their scopes. */
export function assetRoutes(desk: AssetDesk): readonly Route<Scope>[] {
  const { assets } = desk;
  return [
    {
      method: 'GET',
      path: '/v1/assets',
      extra: 'assets:list',
      handle: async (exchange) => exchange.json(200, { items: assets.all() }),
    },
    {
      method: 'POST',
      path: '/v1/assets',
      extra: 'assets:write',
      handle: (exchange) => create(exchange, desk),
    },
    {
      method: 'GET',
      path: '/v1/assets/:id',
      extra: 'assets:read',
      handle: async (exchange, parameters) => exchange.json(200, findAsset(assets, parameters)),
    },
    {
      method: 'POST',
      path: '/v1/assets/:id/uploadComplete',
      extra: 'assets:write',
      handle: (exchange, parameters) => complete(exchange, parameters, desk),
    },
  ];
}

/** Contract 2.3: key prefix of an asset's source files. */
function prefixOf(assetId: number): string {
  return `sources/${assetId}/`;
}

async function create(exchange: Exchange, desk: AssetDesk): Promise<void> {
  const { assets, storage } = desk;
  const asset = assets.add(givenAtCreation(checkCreation(await exchange.readJson(), desk)));
  const prefix = prefixOf(asset.id);
  const credentials = await storage.giveCredentials(asset.id, prefix);
  exchange.json(200, {
    assetMetadata: asset,
    uploadLocation: {
      bucket: storage.bucket,
      prefix,
      ...credentials,
      ...(desk.omitEndpoint ? {} : { endpoint: desk.endpoint() }),
    },
    onComplete: {
      method: 'POST',
      url: `${desk.baseUrl()}/v1/assets/${asset.id}/uploadComplete`,
      fields: completionFields,
    },
  });
}

async function complete(exchange: Exchange, parameters: PathParameters, desk: AssetDesk): Promise<void> {
  const asset = findAsset(desk.assets, parameters);
  // Public clients send no body if there are no fields.
  if (!isDeepStrictEqual(await exchange.readJson({}), completionFields)) {
    throw new Refusal(400, 'InvalidRequest', 'The body is not the fields of onComplete.');
  }
  const { count, bytes } = await desk.storage.measure(prefixOf(asset.id));
  if (count === 0) throw new Refusal(400, 'NoFiles', `Nothing has been uploaded for asset ${asset.id}.`);
  if (!desk.assets.beginTiling(asset.id, bytes)) {
    throw new Refusal(409, 'InvalidState', `Asset ${asset.id} does not await files any more.`);
  }
  exchange.response.writeHead(204).end();
}

/** Throws a 404 Refusal. */
export function findAsset(assets: AccountAssets, { id = '' }: PathParameters): AssetRecord {
  const asset = /^[1-9]\d{0,14}$/.test(id) ? assets.get(Number(id)) : undefined;
  if (!asset) throw new Refusal(404, 'ResourceNotFound', `There is no asset ${id}.`);
  return asset;
}
