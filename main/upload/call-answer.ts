import type { IncomingHttpHeaders } from 'node:http';
import type { CallAnswer } from './storage-call.ts';
import type { StorageFault } from './storage-error.ts';

/** What storage refused, in its own words; null for a success. An error inside an answer of 200 is an error. */
export function refusalOf({ status, headers, body }: CallAnswer, now: number): StorageFault | null {
  const success = status >= 200 && status <= 299;
  if (success && !/<Error[\s>]/.test(body)) return null;
  const code = elementText(body, 'Code');
  const message = elementText(body, 'Message');
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  return {
    status,
    ...(code ? { code } : {}),
    ...(message ? { message } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Storage encrypts with keys of its own (SSE-KMS, SSE-C): its ETags have an MD5's shape and are none. */
export function foreignKeys(headers: IncomingHttpHeaders): boolean {
  const algorithm = String(headers['x-amz-server-side-encryption'] ?? '');
  return (
    algorithm.startsWith('aws:') || headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined
  );
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/** Text of the first element of that name without elements in it; empty where there is none. S3's error document is flat. */
export function elementText(xml: string, name: string): string {
  return flatText(xml, name)
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex: string, decimal: string) =>
      codePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .trim();
}

function flatText(xml: string, name: string): string {
  const [begin, end] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(begin); at !== -1; at = xml.indexOf(begin, at + 1)) {
    const from = at + begin.length;
    const to = xml.indexOf('<', from);
    if (to === -1) return '';
    if (xml.startsWith(end, to)) return xml.slice(from, to);
  }
  return '';
}

function codePoint(number: number): string {
  return number > 0x10ffff ? '' : String.fromCodePoint(number);
}

/** RFC 9110 10.2.3: seconds or a date. */
function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
