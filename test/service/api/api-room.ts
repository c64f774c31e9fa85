import type { Clients } from '../account/clients.ts';
import { OAuthError } from '../account/oauth-error.ts';
import type { Tokens } from '../account/tokens.ts';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { RoomPlan } from '../http/room.ts';
import { findRoute } from '../http/router.ts';
import type { Behaviour, ServiceSettings } from '../model.ts';
import { type AssetDesk, assetRoutes } from './asset-routes.ts';
import { furtherRoutes, tileRoutes } from './further-routes.ts';
import { oauthRoutes } from './oauth-routes.ts';

/** The API host: registration, tokens and /v1 (contract 4.2 to 4.6, 4.8, 4.9). */
export function apiRoom(
  port: number,
  clients: Clients,
  tokens: Tokens,
  desk: (account: string) => AssetDesk,
  behaviour: Behaviour & Pick<ServiceSettings, 'beyondContract'>,
): RoomPlan {
  const open = oauthRoutes(clients, tokens, behaviour);
  return {
    name: 'api',
    port,
    handle: async (exchange) => {
      if (behaviour.beyondContract && allowOtherOrigins(exchange)) return undefined;
      const isTile = behaviour.beyondContract && exchange.path.startsWith('/tiles/');
      if (!isTile && !/^\/v1(\/|$)/.test(exchange.path)) {
        const { route, parameters } = findRoute(open, exchange);
        return route.handle(exchange, parameters);
      }
      const holder = bearer(exchange, tokens, behaviour.beyondContract);
      const { scopes } = holder;
      const accountDesk = desk(holder.account);
      const further = behaviour.beyondContract
        ? [...furtherRoutes(accountDesk, holder), ...tileRoutes(accountDesk)]
        : [];
      const { route, parameters } = findRoute([...further, ...assetRoutes(accountDesk)], exchange);
      if (!scopes.includes(route.extra)) {
        throw new Refusal(
          403,
          'InsufficientScope',
          `The access token does not have the scope ${route.extra}.`,
          { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${route.extra}"` },
        );
      }
      return route.handle(exchange, parameters);
    },
    refuse: refuseAsJson,
  };
}

/** Lets viewers in web pages read. Returns true for a preflight request, which it answers. */
function allowOtherOrigins({ method, response }: Exchange): boolean {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (method !== 'OPTIONS') return false;
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
  response.writeHead(204).end();
  return true;
}

/**
 * The bearer token's holder (contract 5, 1 and 7); `inQuery`: `access_token` also counts. Throws a 401
 * Refusal `InvalidCredentials`.
 */
function bearer(
  exchange: Exchange,
  tokens: Tokens,
  inQuery: boolean,
): NonNullable<ReturnType<Tokens['holderOf']>> & { readonly accessToken: string } {
  const header = exchange.header('authorization');
  const queryToken = inQuery ? new URLSearchParams(exchange.query).get('access_token') : null;
  const token =
    header === undefined && queryToken !== null
      ? queryToken
      : /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(header ?? '')?.[1];
  const holder = token === undefined ? undefined : tokens.holderOf(token);
  if (holder && token !== undefined) return { ...holder, accessToken: token };
  throw new Refusal(401, 'InvalidCredentials', 'The access token is invalid.', {
    'WWW-Authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"',
  });
}

/** Contract 7: an object with the string fields code and message. */
export function refuseAsJson(exchange: Exchange, error: unknown): void {
  if (error instanceof Refusal) {
    exchange.json(error.status, { code: error.code, message: error.message }, error.headers);
  } else if (error instanceof OAuthError) {
    exchange.json(error.status, error.body, { 'Cache-Control': 'no-store' });
  } else {
    exchange.json(500, { code: 'InternalError', message: String(error) });
  }
}
