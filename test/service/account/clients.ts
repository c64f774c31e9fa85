import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Fetch } from '../../../main/ports.ts';
import type { Behaviour, DashboardClient } from '../model.ts';
import type { Client } from './client.ts';
import { fetchClientDocument, isDocumentAddress } from './client-document.ts';
import { OAuthError } from './oauth-error.ts';

/** Body of POST /oauth/register (contract 4.2). Other members of RFC 7591 are ignored. */
const registration = z.object({
  client_name: z.string().trim().min(1),
  redirect_uris: z.array(z.string()).min(1),
});

/** All known applications. */
export class Clients {
  readonly #clients = new Map<string, Client>();
  readonly #fetch: Fetch;
  readonly #behaviour: Pick<Behaviour, 'flow'>;

  constructor(dashboard: readonly DashboardClient[], fetch: Fetch, behaviour: Pick<Behaviour, 'flow'>) {
    this.#fetch = fetch;
    this.#behaviour = behaviour;
    for (const client of dashboard) this.add(client);
  }

  /** Adds or replaces a client of the dashboard (contract 5.1). */
  add({ id, name, redirectUris }: DashboardClient): void {
    this.#clients.set(String(id), { id: String(id), name, redirectUris });
  }

  /**
   * Registers a client (contract 4.2). The id is derived from name and redirect URIs, so it survives a
   * restart. Throws OAuthError.
   */
  register(body: unknown): { readonly client: Client; readonly isNew: boolean } {
    const parsed = registration.safeParse(body);
    if (!parsed.success) {
      throw new OAuthError(
        'invalid_client_metadata',
        'client_name (a non-empty string) and redirect_uris (a non-empty array of strings) are required.',
      );
    }
    const name = parsed.data.client_name;
    const redirectUris = [...new Set(parsed.data.redirect_uris)].sort();
    const wrongUri = redirectUris.find((uri) => !isRedirectUri(uri));
    if (wrongUri !== undefined) {
      throw new OAuthError('invalid_redirect_uri', `“${wrongUri}” can’t be a redirect URI.`);
    }
    const digest = createHash('sha256')
      .update(JSON.stringify([name, redirectUris]))
      .digest('base64url');
    const id = `dcr:${digest.slice(0, 27)}`;
    const registeredClient = this.#clients.get(id);
    if (registeredClient) return { client: registeredClient, isNew: false };
    const client = { id, name, redirectUris };
    this.#clients.set(id, client);
    return { client, isNew: true };
  }

  /**
   * Finds a client; a client document is fetched at every call (contract 5.1). The earlier flow (part 9) only
   * has dashboard clients, each with its first redirect URI. Throws OAuthError.
   */
  async find(id: string): Promise<Client> {
    const client = this.#clients.get(id);
    const isEarlier = this.#behaviour.flow === 'earlier';
    if (client && isEarlier && /^\d+$/.test(id))
      return { ...client, redirectUris: client.redirectUris.slice(0, 1) };
    if (client && !isEarlier) return client;
    if (isDocumentAddress(id) && !isEarlier) return fetchClientDocument(id, this.#fetch);
    throw new OAuthError('invalid_client', 'This client_id is not known.');
  }
}

/** An absolute URI (RFC 3986) without a fragment (RFC 6749 3.1.2) that a browser wouldn't execute. */
function isRedirectUri(text: string): boolean {
  if (!/^[!-~]+$/.test(text) || !URL.canParse(text) || text.includes('#')) return false;
  return !['javascript:', 'data:', 'vbscript:', 'file:', 'about:', 'blob:'].includes(new URL(text).protocol);
}
