import type { AssetBook } from '../assets/asset-book.ts';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { RoomPlan } from '../http/room.ts';
import { findRoute, type Route } from '../http/router.ts';
import type { AuthorizationPage } from './authorization-page.ts';
import { escapeHtml, sendPage } from './page.ts';

/** The sign-in host: the authorization page (contract 4.1) and a page per asset. */
export function authRoom(port: number, page: AuthorizationPage, assets: AssetBook): RoomPlan {
  const routes: readonly Route<undefined>[] = [
    { method: 'GET', path: '/oauth', extra: undefined, handle: (exchange) => page.show(exchange) },
    { method: 'POST', path: '/oauth', extra: undefined, handle: (exchange) => page.decide(exchange) },
    {
      method: 'GET',
      path: '/assets/:id',
      extra: undefined,
      handle: async (exchange, { id = '' }) => showAsset(exchange, id, assets),
    },
  ];
  return {
    name: 'auth',
    port,
    handle: async (exchange) => {
      const { route, parameters } = findRoute(routes, exchange);
      await route.handle(exchange, parameters);
    },
    refuse: refuseAsPage,
  };
}

function showAsset(exchange: Exchange, id: string, assets: AssetBook): void {
  const asset = assets.get(Number(id));
  if (!asset) throw new Refusal(404, 'ResourceNotFound', `There is no asset ${id}.`);
  const rows = {
    Asset: String(asset.id),
    Type: asset.type,
    Status: asset.status,
    Progress: `${asset.percentComplete} %`,
    Bytes: String(asset.bytes),
    Added: asset.dateAdded,
  };
  const list = Object.entries(rows).map(([term, text]) => `<dt>${term}</dt><dd>${escapeHtml(text)}</dd>`);
  sendPage(exchange, 200, {
    title: asset.name,
    content: `<h1>${escapeHtml(asset.name)}</h1>
<p>${escapeHtml(asset.description)}</p>
<dl>${list.join('')}</dl>`,
  });
}

function refuseAsPage(exchange: Exchange, error: unknown): void {
  const refusal = error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error));
  for (const [name, value] of Object.entries(refusal.headers)) exchange.response.setHeader(name, value);
  sendPage(exchange, refusal.status, {
    title: 'This did not work',
    content: `<h1>This did not work</h1>
<p role="alert">${escapeHtml(refusal.message)}</p>
<p class="note">Close this page and start again in the application.</p>`,
  });
}
