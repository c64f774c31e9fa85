import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Fetch } from '../../main/ports.ts';

/**
 * Opens an authorization link and presses Allow, as a user in a browser. Returns the redirect address without
 * opening it. Throws an error with the text of an error page.
 *
 * @param account the account signed in in the browser; default: the service's first
 */
export function allowInBrowser(
  link: string,
  fetch: Fetch = globalThis.fetch,
  account?: string,
): Promise<string> {
  return decideInBrowser(link, { decision: 'allow', ...(account === undefined ? {} : { account }) }, fetch);
}

/** Opens an authorization link and presses Deny. */
export function denyInBrowser(link: string, fetch: Fetch = globalThis.fetch): Promise<string> {
  return decideInBrowser(link, { decision: 'deny' }, fetch);
}

/** Opens the redirect address. Not with `fetch`, whose headers identify a script's request. */
export async function followInBrowser(address: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  get(address, { headers }, resolve).on('error', reject);
  const answer = await promise;
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}

async function decideInBrowser(
  link: string,
  choice: { readonly decision: 'allow' | 'deny'; readonly account?: string },
  fetch: Fetch,
): Promise<string> {
  const page = await fetch(link, { redirect: 'manual' });
  const html = await page.text();
  const sentOn = page.headers.get('location');
  // The service redirects the application's errors at once.
  if (page.status === 302 && sentOn !== null) return sentOn;
  if (page.status !== 200) throw new Error(textOf(html));
  const form = new URLSearchParams(choice);
  for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)) {
    form.set(unescapeHtml(name ?? ''), unescapeHtml(value ?? ''));
  }
  const action = /<form method="post" action="([^"]+)">/.exec(html)?.[1];
  if (action === undefined) throw new Error(`There is no form on the page: ${textOf(html)}`);
  const answer = await fetch(new URL(unescapeHtml(action), link), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  if (answer.status !== 302 || location === null) throw new Error(textOf(await answer.text()));
  return location;
}

function textOf(html: string): string {
  const body = /<body>([\s\S]*)<\/body>/.exec(html)?.[1] ?? html;
  return unescapeHtml(body.replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
