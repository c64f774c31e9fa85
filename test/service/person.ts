import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Fetch } from '../../main/outside.ts';

/**
 * Does what a person at a browser does with an authorization link: opens the page and presses Allow. Gives
 * the address that the browser is then sent to, without going there. Throws Error with the page's text when
 * the page is an error page.
 *
 * @param account whom the browser is signed in as; default: the service's first account
 */
export function allowInBrowser(
  link: string,
  fetch: Fetch = globalThis.fetch,
  account?: string,
): Promise<string> {
  return decideInBrowser(link, { decision: 'allow', ...(account === undefined ? {} : { account }) }, fetch);
}

/** The same, pressing Deny. */
export function denyInBrowser(link: string, fetch: Fetch = globalThis.fetch): Promise<string> {
  return decideInBrowser(link, { decision: 'deny' }, fetch);
}

/** Goes to the address that the browser is sent to. `fetch` would say that a page’s script asks for it. */
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
  // The service sends errors that concern the application straight back to it.
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

/** What a person reads on the page. */
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
