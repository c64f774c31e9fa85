import { z } from 'zod';
import { redactedStart } from '../redact.ts';
import { isTooDeep, parseJson } from './answer.ts';
import { assetAnswer, assetId } from './answers.ts';
import type { CompletionInstruction, CreatedAsset, UploadLocation } from './model.ts';
import { atOrigin, isLoopback } from './service-address.ts';

/**
 * The answer to creating an asset (contract 4.6), read as far as it goes. Everything that the upload will
 * need is looked at here, before a byte is sent:
 * - `usable`: with addresses that are absolute and a method in capital letters;
 * - `unusable`: the asset was made, and `why` names the part of the answer with which nothing can be
 *   uploaded;
 * - `unread`: not even an asset's id is there.
 */
type CreatedReading =
  | { readonly kind: 'usable'; readonly created: CreatedAsset }
  | { readonly kind: 'unusable'; readonly assetId: number; readonly why: string }
  | { readonly kind: 'unread' };

const shownLength = 200;
/** Characters of `onComplete.fields` as JSON: it is stored with the job and sent back. */
const maxFieldsLength = 65_536;

/** `askedAt`: the absolute address to which the request went. */
export function readCreated(text: string, askedAt: string): CreatedReading {
  const answer = z.record(z.string(), z.unknown()).safeParse(parseJson(text)).data;
  const asset = answer && (answer.assetMetadata ?? Object.values(answer).find(looksLikeAsset));
  const made = z.looseObject({ id: assetId }).safeParse(asset);
  if (!answer || !made.success) return { kind: 'unread' };
  const { uploadLocation, onComplete } = answer;
  const parsed = createdSchema(askedAt).safeParse({ assetMetadata: asset, uploadLocation, onComplete });
  if (parsed.success) return { kind: 'usable', created: parsed.data };
  const why = parsed.error.issues.map(({ path }) => shown(path, { uploadLocation, onComplete })).join(', ');
  return { kind: 'unusable', assetId: made.data.id, why: redactedStart(why, shownLength) };
}

/** A completion instruction that can be followed; null for a wrong method or a foreign address. */
export function usableInstruction(given: unknown, askedAt: string): CompletionInstruction | null {
  return completionSchema(askedAt).safeParse(given).data ?? null;
}

/**
 * Contract 4.6 prints the name of the first property as "the service"; public clients know it as
 * `assetMetadata`. Else it is found by its shape.
 */
function looksLikeAsset(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && 'status' in value;
}

function createdSchema(askedAt: string) {
  return z
    .object({
      assetMetadata: assetAnswer,
      uploadLocation: uploadLocationSchema,
      onComplete: completionSchema(askedAt),
    })
    .transform(({ assetMetadata, ...rest }): CreatedAsset => ({ asset: assetMetadata, ...rest }));
}

/** Contract 2.3. `endpoint` may be absent, and null or empty means the same. */
const uploadLocationSchema = z
  .object({
    bucket: z.string().min(1),
    prefix: z.string().refine(isPlainPrefix),
    accessKey: z.string().min(1),
    secretAccessKey: z.string().min(1),
    sessionToken: z.string().min(1),
    endpoint: z
      .string()
      .nullish()
      .transform((given, context) => {
        if (!given?.trim()) return undefined;
        const endpoint = endpointAddress(given.trim());
        if (endpoint === null) context.addIssue({ code: 'custom', message: 'no http address' });
        return endpoint ?? undefined;
      }),
  })
  .transform(
    ({ endpoint, ...location }): UploadLocation => (endpoint ? { ...location, endpoint } : location),
  );

/** Contract 2.4. */
function completionSchema(askedAt: string) {
  return z
    .object({
      method: z
        .string()
        .transform((method) => method.trim().toUpperCase())
        .pipe(z.enum(['POST', 'PUT', 'PATCH'])),
      url: z.string().transform((given, context) => {
        const url = given.trim() === '' ? null : atOrigin(given.trim(), askedAt);
        if (url === null) context.addIssue({ code: 'custom', message: 'not an address of the service' });
        return url ?? '';
      }),
      fields: z
        .record(z.string(), z.unknown())
        .nullish()
        .refine((fields) => !isTooDeep(fields) && JSON.stringify(fields ?? {}).length <= maxFieldsLength)
        .transform((fields) => fields ?? {}),
    })
    .transform((instruction): CompletionInstruction => instruction);
}

/** HTTP clients and servers resolve `.` and `..`, and some drop empty segments: the key would be another. */
function isPlainPrefix(prefix: string): boolean {
  return prefix
    .replace(/\/$/, '')
    .split('/')
    .every((segment) => !['', '.', '..'].includes(segment));
}

/**
 * As an absolute http(s) address. The default scheme is https, on this machine http: no certificate there.
 */
function endpointAddress(given: string): string | null {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const url = URL.parse(hasScheme ? given : `https://${given}`);
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.hostname === '') return null;
  if (url.username !== '' || url.password !== '' || /\s/.test(given)) return null;
  if (hasScheme) return given;
  return isLoopback(url) ? `http://${given}` : `https://${given}`;
}

/** The unusable part of the answer, with what it says: addresses and the method only, the rest is secret. */
function shown(path: readonly PropertyKey[], answer: Readonly<Record<string, unknown>>): string {
  const name = path.map(String).join('.');
  const part = z.record(z.string(), z.unknown()).safeParse(answer[String(path[0])]).data;
  const isOpen = ['onComplete.url', 'onComplete.method', 'uploadLocation.endpoint'].includes(name);
  const value = part?.[String(path[1])];
  return isOpen && typeof value === 'string' ? `${name} “${value}”` : name;
}
