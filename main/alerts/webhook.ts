import type { WebhookSettings } from '../../shared/schemas/alerts.ts';
import { TileliftError } from '../errors.ts';
import { redactedStart } from '../redact.ts';
import { type Network, sendRequest } from '../service/http-request.ts';
import type { AlertMessage } from './alert-model.ts';
import { signatureOf } from './alert-secrets.ts';
import { alertSentence, testLetter } from './alert-words.ts';

interface WebhookParts {
  readonly webhook: WebhookSettings;
  /** Null: none is known. */
  readonly key: string | null;
  /** Further ones, secret; null where one is not known. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly network: Network;
}

/** The body of a message (docs/after-the-end.md). `computer`: this one's name. */
export function webhookBody({ id, at, told, more }: AlertMessage, computer: string): string {
  return JSON.stringify({
    id,
    kind: 'alert',
    computer,
    at: new Date(at).toISOString(),
    events: told.map(({ at: eventAt, what }) => ({
      kind: what.kind,
      at: new Date(eventAt).toISOString(),
      rule: what.ruleName,
      ruleId: what.ruleId,
      source: 'source' in what ? what.source : null,
      error: what.kind === 'failed' ? (what.error?.code ?? null) : null,
      text: alertSentence(what),
    })),
    more,
  });
}

export function webhookTestBody(id: string, at: number, computer: string): string {
  const { text } = testLetter(computer);
  return JSON.stringify({
    id,
    kind: 'test',
    computer,
    at: new Date(at).toISOString(),
    events: [],
    more: 0,
    text,
  });
}

/**
 * Posts a signed body, and gives what was answered. Only an answer of 200 to 299 counts as taken; no redirect
 * is followed. `id`: by which whoever gets it twice can tell.
 *
 * @throws TileliftError `webhook-…`, `certificate-untrusted`, `proxy-…`
 * @throws the signal's reason
 */
export async function postWebhook(
  body: string,
  id: string,
  { webhook, key, headers: further = {}, network }: WebhookParts,
  signal?: AbortSignal,
): Promise<string> {
  // Never more of it than the host: some keep a secret in their address.
  const subject = new URL(webhook.address).host;
  if (key === null || further === null) throw new TileliftError('webhook-key-missing', { subject });
  const seconds = Math.floor(network.clock.now() / 1000);
  const headers = {
    ...further,
    'Content-Type': 'application/json',
    'User-Agent': 'Tilelift',
    'Tilelift-Delivery': id,
    'Tilelift-Signature': signatureOf(key, seconds, body),
  };
  const { status, text } = await send({ method: 'POST', url: webhook.address, headers, body });
  if (status >= 200 && status < 300) return String(status);
  throw new TileliftError('webhook-refused', {
    subject,
    remote: { status, message: redactedStart(text, 200) },
  });

  async function send(request: Parameters<typeof sendRequest>[1]) {
    try {
      return await sendRequest(network, request, signal);
    } catch (thrown) {
      if (!(thrown instanceof TileliftError) || thrown.code !== 'service-unreachable') throw thrown;
      throw new TileliftError('webhook-unreachable', { subject, cause: thrown.cause });
    }
  }
}
