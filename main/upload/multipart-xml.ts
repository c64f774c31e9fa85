import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { bareEtag } from './etag.ts';
import type { StoredPart } from './storage.ts';
import type { CallAnswer } from './storage-call.ts';
import { StorageError } from './storage-error.ts';

/** The documents of S3's multipart uploads: what is sent and what comes back. */

const parser = new XMLParser({
  removeNSPrefix: true,
  // Upload ids and ETags may look like numbers.
  parseTagValue: false,
  isArray: (name) => name === 'Part',
});

const begun = z.object({ InitiateMultipartUploadResult: z.object({ UploadId: z.string().min(1) }) });
const completed = z.object({ CompleteMultipartUploadResult: z.object({ ETag: z.string().optional() }) });
const partsPage = z.object({
  ListPartsResult: z.object({
    IsTruncated: z.string().optional(),
    NextPartNumberMarker: z.string().optional(),
    Part: z
      .array(z.object({ PartNumber: z.coerce.number(), Size: z.coerce.number(), ETag: z.string() }))
      .default([]),
  }),
});

export interface PartsPage {
  readonly parts: readonly StoredPart[];
  /** Where the next page begins; null after the last. Some stores give a marker there too, so it is not gone by. */
  readonly next: string | null;
}

/** Throws `StorageError` like all here: a success that can't be read was cut off on its way. */
export function readUploadId(answer: CallAnswer): string {
  return read(answer, begun).InitiateMultipartUploadResult.UploadId;
}

export function readPartsPage(answer: CallAnswer): PartsPage {
  const { Part, IsTruncated, NextPartNumberMarker } = read(answer, partsPage).ListPartsResult;
  return {
    parts: Part.map(({ PartNumber, Size, ETag }) => ({
      number: PartNumber,
      size: Size,
      etag: bareEtag(ETag),
    })),
    next: IsTruncated === 'true' ? (NextPartNumberMarker ?? null) : null,
  };
}

/** Empty where storage gave none, as Ceph RGW does in its first answer. */
export function readEtag(answer: CallAnswer): string {
  return read(answer, completed).CompleteMultipartUploadResult.ETag ?? '';
}

/** Parts in their order. */
export function completionBody(parts: readonly StoredPart[]): string {
  const elements = parts.map(
    ({ number, etag }) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${escapeText(etag)}&quot;</ETag></Part>`,
  );
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${elements.join('')}</CompleteMultipartUpload>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function read<T>({ status, body }: CallAnswer, shape: z.ZodType<T>): T {
  const found = shape.safeParse(parse(body));
  if (found.success) return found.data;
  throw new StorageError({ status, message: 'The answer could not be read.' }, found.error);
}

function parse(body: string): unknown {
  try {
    return parser.parse(body);
  } catch {
    return undefined;
  }
}
