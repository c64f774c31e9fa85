import { createHash, createHmac } from 'node:crypto';
import { decodePercent, encodeBytes } from './percent.ts';

/** The Authorization header (Signature Version 4). */
export interface SignatureClaim {
  readonly accessKey: string;
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  /** Hex. */
  readonly signature: string;
}

/** Returns undefined unless the header has the form of Signature Version 4. */
export function parseAuthorization(header: string): SignatureClaim | undefined {
  const fields = /^AWS4-HMAC-SHA256\s+(.*)$/.exec(header)?.[1]?.split(/\s*,\s*/) ?? [];
  const value = (name: string) =>
    fields.find((field) => field.startsWith(`${name}=`))?.slice(name.length + 1);
  const [accessKey, date, region, service, end, ...furtherParts] = value('Credential')?.split('/') ?? [];
  const signedHeaders = value('SignedHeaders')?.split(';') ?? [];
  const signature = value('Signature') ?? '';
  if (!accessKey || !date || !region || !service || end !== 'aws4_request' || furtherParts.length > 0)
    return undefined;
  if (signedHeaders.includes('') || signedHeaders.length === 0) return undefined;
  if (!/^[0-9a-f]{64}$/.test(signature)) return undefined;
  return { accessKey, date, region, service, signedHeaders, signature };
}

type SigningScope = Pick<SignatureClaim, 'date' | 'region' | 'service'>;

interface SignedRequest {
  readonly method: string;
  /** As sent, percent-encoded. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** All values of a header as sent, or undefined. */
  readonly header: (name: string) => readonly string[] | undefined;
  readonly signedHeaders: readonly string[];
  /** Value of `x-amz-content-sha256`. */
  readonly payloadHash: string;
}

/**
 * The canonical request. The path is never normalised, because `a//b` and `a/../b` are S3 keys. Throws
 * S3Error `InvalidURI` for an invalid escape.
 */
export function canonicalRequest(request: SignedRequest): string {
  const headers = request.signedHeaders.map((name) => {
    // Node decodes header bytes as latin1; the signer used UTF-8.
    const values = (request.header(name) ?? []).map((value) => Buffer.from(value, 'latin1').toString('utf8'));
    return `${name}:${values.map((value) => value.trim().replace(/\s+/g, ' ')).join(',')}\n`;
  });
  return [
    request.method,
    encodeBytes(decodePercent(request.path), true),
    canonicalQuery(request.query),
    headers.join(''),
    request.signedHeaders.join(';'),
    request.payloadHash,
  ].join('\n');
}

function canonicalQuery(query: string): string {
  if (query === '') return '';
  const encode = (text: string) => encodeBytes(decodePercent(text), false);
  return query
    .split('&')
    .map((pair) => {
      const mark = pair.indexOf('=');
      return mark < 0 ? [encode(pair), ''] : [encode(pair.slice(0, mark)), encode(pair.slice(mark + 1))];
    })
    .sort(
      ([nameA = '', valueA = ''], [nameB = '', valueB = '']) =>
        compare(nameA, nameB) || compare(valueA, valueB),
    )
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The signature as bytes. `time` is the `x-amz-date` value. */
export function sign(secret: string, scope: SigningScope, time: string, canonical: string): Buffer {
  const digest = createHash('sha256').update(canonical).digest('hex');
  return hmac(signingKey(secret, scope), `AWS4-HMAC-SHA256\n${time}\n${scopeText(scope)}\n${digest}`);
}

/** The signing key of a day, region and service. */
export function signingKey(secret: string, { date, region, service }: SigningScope): Buffer {
  return hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), 'aws4_request');
}

/** The scope as part of the signed text. */
export function scopeText({ date, region, service }: SigningScope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
