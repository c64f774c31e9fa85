import type { WebhookSettings } from '../../shared/schemas/alerts.ts';
import { TileliftError } from '../errors.ts';
import { redactedStart } from '../redact.ts';
import { type Network, sendRequest } from '../service/http-request.ts';
import type { AlertMessage } from './alert-model.ts';
import { signatureOf } from './alert-secrets.ts';
import { alertSentence, testLetter } from './alert-words.ts';

interface WebhookParts {
  readonly webhook: WebhookSettings;
  /** Null if unknown. */
  readonly key: string | null;
  /** Null if one is unknown. */
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly network: Network;
}

/** The body of a message (docs/after-the-end.md). */
export function webhookBody(
  { id, at: createdAt, told: events, more: furtherCount }: AlertMessage,
  computer: string,
): string {
  return JSON.stringify({
    id,
    kind: 'alert',
    computer,
    at: new Date(createdAt).toISOString(),
    events: events.map(({ at: eventAt, what: alert }) => ({
      kind: alert.kind,
      at: new Date(eventAt).toISOString(),
      rule: alert.ruleName,
      ruleId: alert.ruleId,
      source: 'source' in alert ? alert.source : null,
      error: alert.kind === 'failed' ? (alert.error?.code ?? null) : null,
      text: alertSentence(alert),
    })),
    more: furtherCount,
  });
}

export function webhookTestBody(id: string, createdAt: number, computer: string): string {
  const { text } = testLetter(computer);
  return JSON.stringify({
    id,
    kind: 'test',
    computer,
    at: new Date(createdAt).toISOString(),
    events: [],
    more: 0,
    text,
  });
}

/**
 * Only 200 to 299 is a success; redirects aren't followed. `id` identifies repeated deliveries.
 * @throws TileliftError `webhook-…`, `certificate-untrusted`, `proxy-…`, or the signal's reason
 */
export async function postWebhook(
  body: string,
  id: string,
  { webhook, key, headers: extraHeaders = {}, network }: WebhookParts,
  signal?: AbortSignal,
): Promise<string> {
  // Some addresses contain a secret.
  const subject = new URL(webhook.address).host;
  if (key === null || extraHeaders === null) throw new TileliftError('webhook-key-missing', { subject });
  const seconds = Math.floor(network.clock.now() / 1000);
  const headers = {
    ...extraHeaders,
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
    } catch (error) {
      if (!(error instanceof TileliftError) || error.code !== 'service-unreachable') throw error;
      throw new TileliftError('webhook-unreachable', { subject, cause: error.cause });
    }
  }
}
