import { z } from 'zod';
import { redactedStart } from '../redact.ts';
import { isTooDeep, parseJson } from './answer.ts';
import { assetAnswer, assetId } from './answers.ts';
import type { CompletionInstruction, CreatedAsset, UploadLocation } from './model.ts';
import { atOrigin, isLoopback } from './service-address.ts';

/**
 * Contract 4.6, checked before a byte is sent:
 * - `usable`: addresses are absolute, the method in capital letters;
 * - `unusable`: the asset exists; `why` names the invalid part;
 * - `unread`: there is no asset ID.
 */
type CreatedReading =
  | { readonly kind: 'usable'; readonly created: CreatedAsset }
  | { readonly kind: 'unusable'; readonly assetId: number; readonly why: string }
  | { readonly kind: 'unread' };

const shownLength = 200;
/** Jobs store these fields and send them back. */
const maxFieldsLength = 65_536;

/** `askedAt`: absolute. */
export function readCreated(text: string, askedAt: string): CreatedReading {
  const answer = z.record(z.string(), z.unknown()).safeParse(parseJson(text)).data;
  const asset = answer && (answer.assetMetadata ?? Object.values(answer).find(looksLikeAsset));
  const assetIdentity = z.looseObject({ id: assetId }).safeParse(asset);
  if (!answer || !assetIdentity.success) return { kind: 'unread' };
  const { uploadLocation, onComplete } = answer;
  const parsed = createdSchema(askedAt).safeParse({ assetMetadata: asset, uploadLocation, onComplete });
  if (parsed.success) return { kind: 'usable', created: parsed.data };
  const why = parsed.error.issues
    .map(({ path }) => describePart(path, { uploadLocation, onComplete }))
    .join(', ');
  return { kind: 'unusable', assetId: assetIdentity.data.id, why: redactedStart(why, shownLength) };
}

/** Null for a wrong method or an address outside the service. */
export function usableInstruction(instruction: unknown, askedAt: string): CompletionInstruction | null {
  return completionSchema(askedAt).safeParse(instruction).data ?? null;
}

/** Contract 4.6 prints the name as "the service"; public clients expect `assetMetadata`. */
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
    .transform(({ assetMetadata, ...location }): CreatedAsset => ({ asset: assetMetadata, ...location }));
}

/** Contract 2.3. A null or empty `endpoint` counts as absent. */
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
      .transform((endpointText, context) => {
        if (!endpointText?.trim()) return undefined;
        const endpoint = endpointAddress(endpointText.trim());
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
      url: z.string().transform((completionUrl, context) => {
        const url = completionUrl.trim() === '' ? null : atOrigin(completionUrl.trim(), askedAt);
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

/** Clients and servers resolve `.` and `..`, some drop empty segments: the key would change. */
function isPlainPrefix(prefix: string): boolean {
  return prefix
    .replace(/\/$/, '')
    .split('/')
    .every((segment) => !['', '.', '..'].includes(segment));
}

/** The default is https, or http on this machine, since it rarely has certificates. */
function endpointAddress(endpointText: string): string | null {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(endpointText);
  const url = URL.parse(hasScheme ? endpointText : `https://${endpointText}`);
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.hostname === '') return null;
  if (url.username !== '' || url.password !== '' || /\s/.test(endpointText)) return null;
  if (hasScheme) return endpointText;
  return isLoopback(url) ? `http://${endpointText}` : `https://${endpointText}`;
}

/** Shows only addresses and methods; the rest is secret. */
function describePart(path: readonly PropertyKey[], answer: Readonly<Record<string, unknown>>): string {
  const name = path.map(String).join('.');
  const part = z.record(z.string(), z.unknown()).safeParse(answer[String(path[0])]).data;
  const isOpen = ['onComplete.url', 'onComplete.method', 'uploadLocation.endpoint'].includes(name);
  const value = part?.[String(path[1])];
  return isOpen && typeof value === 'string' ? `${name} “${value}”` : name;
}
