import { z } from 'zod';
import type { Scope } from '../account/scopes.ts';
import { worldTerrainId } from '../assets/asset-book.ts';
import { escapeHtml } from '../auth/page.ts';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { Route } from '../http/router.ts';
import { type AssetDesk, findAsset } from './asset-routes.ts';
import { entryOf, sampleFile } from './sample-tiles.ts';

/** Unknown members are ignored. */
const changeBody = z.object({
  name: z.string().trim().min(1).optional(),
  description: z.string().optional(),
  attribution: z.string().optional(),
});

/**
 * Endpoints beyond the contract that public clients use (docs/service-facts.md, "Further endpoints"), and
 * the list in pages. `account`: name of the token's account.
 */
export function furtherRoutes(
  desk: AssetDesk,
  { account, accessToken }: { readonly account: string; readonly accessToken: string },
): readonly Route<Scope>[] {
  const { assets } = desk;
  const ownAsset = (id: number) => {
    if (id === worldTerrainId) throw new Refusal(403, 'Forbidden', 'World Terrain belongs to the service.');
    return id;
  };
  return [
    {
      method: 'GET',
      path: '/v1/assets',
      extra: 'assets:list',
      handle: async (exchange) => sendPage(exchange, desk),
    },
    {
      method: 'PATCH',
      path: '/v1/assets/:id',
      extra: 'assets:write',
      handle: async (exchange, parameters) => {
        const { id } = findAsset(assets, parameters);
        const body = changeBody.safeParse(await exchange.readJson());
        if (!body.success) throw new Refusal(400, 'InvalidRequest', z.prettifyError(body.error));
        assets.change(ownAsset(id), body.data);
        exchange.response.writeHead(204).end();
      },
    },
    {
      method: 'DELETE',
      path: '/v1/assets/:id',
      extra: 'assets:write',
      handle: async (exchange, parameters) => {
        assets.remove(ownAsset(findAsset(assets, parameters).id));
        exchange.response.writeHead(204).end();
      },
    },
    {
      method: 'GET',
      path: '/v1/assets/:id/endpoint',
      extra: 'assets:read',
      handle: async (exchange, parameters) => {
        const { id, type, status, attribution } = findAsset(assets, parameters);
        if (status !== 'COMPLETE')
          throw new Refusal(409, 'InvalidState', `Asset ${id} has no tiles: its status is ${status}.`);
        exchange.json(200, {
          type,
          url: `${desk.baseUrl()}/tiles/${id}/${entryOf(type)}`,
          accessToken,
          attributions: attribution === '' ? [] : [{ html: escapeHtml(attribution), collapsible: false }],
        });
      },
    },
    {
      method: 'GET',
      path: '/v1/me',
      extra: 'assets:read',
      handle: async (exchange) => exchange.json(200, profile(account, assets.all())),
    },
    {
      method: 'GET',
      path: '/v1/defaults',
      extra: 'assets:read',
      handle: async (exchange) =>
        exchange.json(200, { defaultAssets: { terrain: worldTerrainId }, quickAddAssets: [] }),
    },
  ];
}

/** Files of a tileset, layer or document at `/tiles/{id}`, with the endpoint's token. */
export function tileRoutes(desk: AssetDesk): readonly Route<Scope>[] {
  const handle: Route<Scope>['handle'] = async (exchange, { id = '', ...names }) => {
    const name = Object.values(names).join('/');
    const file = sampleFile(findAsset(desk.assets, { id }).type, name);
    if (!file) throw new Refusal(404, 'ResourceNotFound', `Asset ${id} has no ${name}.`);
    exchange.response.writeHead(200, { 'Content-Type': file.mediaType }).end(file.bytes);
  };
  return ['/tiles/:id/:name', '/tiles/:id/:z/:x/:y'].map(
    (path): Route<Scope> => ({ method: 'GET', path, extra: 'assets:read', handle }),
  );
}

function profile(account: string, assets: readonly { readonly bytes: number }[]) {
  const total = 5 * 1024 ** 3;
  const usedBytes = assets.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    id: 1,
    username: account,
    email: 'person@example.com',
    emailVerified: true,
    storage: { used: usedBytes, total, available: Math.max(0, total - usedBytes) },
  };
}

const defaultPageSize = 1_000;

/** One page of the list, with `Link` if more follow. */
function sendPage(exchange: Exchange, { assets, baseUrl }: AssetDesk): void {
  const query = new URLSearchParams(exchange.query);
  const [limit, page] = [wholeNumber(query, 'limit', defaultPageSize), wholeNumber(query, 'page', 1)];
  const allAssets = assets.all();
  const items = allAssets.slice((page - 1) * limit, page * limit);
  const nextPage = `${baseUrl()}/v1/assets?limit=${limit}&page=${page + 1}`;
  exchange.json(200, { items }, page * limit < allAssets.length ? { Link: `<${nextPage}>; rel="next"` } : {});
}

function wholeNumber(query: URLSearchParams, name: string, standard: number): number {
  const text = query.get(name);
  if (text === null) return standard;
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new Refusal(400, 'InvalidRequest', `${name} is a number from 1 to 9999.`);
  return Number(text);
}
