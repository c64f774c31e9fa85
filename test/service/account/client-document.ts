import { z } from 'zod';
import type { Fetch } from '../../../main/ports.ts';
import type { Client } from './client.ts';
import { OAuthError } from './oauth-error.ts';

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);
const maxBytes = 64 * 1024;

/** Contract 2.6: a client metadata document. */
const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().trim().min(1),
  redirect_uris: z.array(z.string()).min(1),
});

/** True for https addresses, and for http on loopback, so that tests need no certificate. */
export function isDocumentAddress(id: string): boolean {
  if (!URL.canParse(id)) return false;
  const url = new URL(id);
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
}

/** Fetches and checks a client metadata document (contract 2.6, 5.1). Throws OAuthError `invalid_client`. */
export async function fetchClientDocument(address: string, fetch: Fetch): Promise<Client> {
  const refuse = (why: string) =>
    new OAuthError('invalid_client', `The client document at ${address} ${why}.`);
  let text: string;
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(5000),
    });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    text = await response.text();
  } catch {
    throw refuse('can’t be fetched');
  }
  if (text.length > maxBytes) throw refuse('is too large');
  const parsed = clientDocument.safeParse(parseJson(text));
  if (!parsed.success) throw refuse('is not a client metadata document');
  if (parsed.data.client_id !== address) throw refuse('names another client_id');
  return { id: address, name: parsed.data.client_name, redirectUris: parsed.data.redirect_uris };
}

/** Returns undefined for invalid JSON, which the schema then rejects. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
