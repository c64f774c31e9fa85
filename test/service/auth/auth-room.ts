import type { AssetBook } from '../assets/asset-book.ts';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { RoomPlan } from '../http/room.ts';
import { findRoute, type Route } from '../http/router.ts';
import type { Behaviour } from '../model.ts';
import type { AuthorizationPage } from './authorization-page.ts';
import { escapeHtml, sendPage } from './page.ts';

/** The sign-in host: the authorization page (contract 4.1) and a page per asset, under the sign-in path. */
export function authRoom(
  port: number,
  page: AuthorizationPage,
  assets: AssetBook,
  behaviour: Behaviour,
): RoomPlan {
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
      const { route, parameters } = findRoute(routes, exchange, behaviour.signInPath);
      await route.handle(exchange, parameters);
    },
    refuse: refuseAsPage,
  };
}

function showAsset(exchange: Exchange, id: string, assets: AssetBook): void {
  const asset = assets.get(Number(id));
  if (!asset) throw new Refusal(404, 'ResourceNotFound', `There is no asset ${id}.`);
  const { name, description, ...fields } = asset;
  const list = Object.entries(fields)
    .map(([field, value]) => [field, typeof value === 'string' ? value : JSON.stringify(value)] as const)
    .map(([field, text]) => `<dt>${escapeHtml(field)}</dt><dd>${escapeHtml(text)}</dd>`);
  sendPage(exchange, 200, {
    title: name,
    content: `<h1>${escapeHtml(name)}</h1>
<p>${escapeHtml(description)}</p>
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
