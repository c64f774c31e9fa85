import { hash } from 'node:crypto';
import { z } from 'zod';
import { jobStatuses } from '../../../shared/job-status.ts';
import type { CreationBody } from '../../service/model.ts';
import { countParts } from '../../transfer/plan.ts';
import { type JobEvent, jobEventSchema, laterKind } from '../events.ts';

/** Validates journal rows, since a disk may return anything. */

const creationBody = z
  .object({
    name: z.string(),
    description: z.string().optional(),
    type: z.string(),
    options: z.looseObject({
      sourceType: z.string(),
      clampToTerrain: z.boolean().optional(),
      baseTerrainId: z.number().optional(),
    }),
  })
  .transform((body): CreationBody => body);

const chosenChanges = z.object({
  only: z.array(z.string()).exactOptional(),
  leftOut: z.array(z.string()),
  assigned: z.array(z.object({ epsg: z.int(), files: z.array(z.string()) })),
  worded: z.array(z.object({ wkt: z.string(), files: z.array(z.string()) })).exactOptional(),
  takenAlong: z.array(z.object({ folder: z.string(), paths: z.array(z.string()) })).exactOptional(),
});

/** MD5 (hex) of generated content. */
export const md5Of = (content: string): string => hash('md5', content);

const exactSource = z.object({
  keysFrom: z.string(),
  gitignore: z.array(z.string()),
  fingerprint: z.string().nullable(),
  home: z.string().exactOptional(),
});

const jobColumns = z.object({
  id: z.string(),
  account_id: z.string(),
  paths: z.string(),
  body: z.string(),
  created_at: z.number(),
  accept_forecast: z.number(),
  kind_detected: z.number(),
  exactly: z.string().nullable(),
  predecessor: z.string().nullable(),
  expected_files: z.int().nonnegative().nullable(),
  expected_bytes: z.int().nonnegative().nullable(),
});
const changesColumn = z.object({ changes: z.string().nullable() });

const recordOf = (row: z.infer<typeof jobColumns>) => ({
  id: row.id,
  accountId: row.account_id,
  paths: z.array(z.string()).parse(JSON.parse(row.paths)),
  body: creationBody.parse(JSON.parse(row.body)),
  createdAt: row.created_at,
  acceptForecast: row.accept_forecast === 1,
  ...(row.kind_detected === 1 ? { isKindDetected: true as const } : {}),
  ...(row.exactly === null ? {} : { exactly: exactSource.parse(JSON.parse(row.exactly)) }),
  ...(row.predecessor === null ? {} : { predecessor: row.predecessor }),
  ...(row.expected_files === null || row.expected_bytes === null
    ? {}
    : { expected: { files: row.expected_files, bytes: row.expected_bytes } }),
});
const changesOf = ({ changes }: z.infer<typeof changesColumn>) =>
  changes === null ? {} : { changes: chosenChanges.parse(JSON.parse(changes)) };

/** The columns of `jobRow`. */
export const recordColumns: string = Object.keys(jobColumns.shape).join(', ');
export const jobRow = jobColumns.transform(recordOf);
export const changesRow = changesColumn.transform(changesOf);
/** Decisions about files may be a million. */
export const wholeJobRow = jobColumns
  .extend(changesColumn.shape)
  .transform((row) => ({ ...recordOf(row), ...changesOf(row) }));
export const placeRow = z.object({ id: z.string(), place: z.number(), removed: z.number().exactOptional() });
export const heldRow = z
  .object({ id: z.string(), removed_at: z.number().nullable() })
  .transform((row) => ({ id: row.id, removedAt: row.removed_at ?? 0 }));
export const endedRow = z
  .object({ id: z.string(), created_at: z.number(), row: z.number() })
  .transform((row) => ({ id: row.id, createdAt: row.created_at, row: row.row }));
export const endedFactsRow = z
  .object({
    id: z.string(),
    created_at: z.number(),
    row: z.number(),
    ended_as: z.enum(jobStatuses),
    bytes: z.number(),
    name: z.string().nullable(),
    asset_id: z.number().nullable(),
    paths: z.string(),
  })
  .transform((row) => ({
    id: row.id,
    place: { createdAt: row.created_at, row: row.row },
    status: row.ended_as,
    bytes: row.bytes,
    name: row.name ?? '',
    assetId: row.asset_id,
    paths: z.array(z.string()).parse(JSON.parse(row.paths)),
    waitingFor: null,
    isQueued: false,
  }));
export const endedKindRow = z
  .object({ ended_as: z.enum(jobStatuses), count: z.number(), last: z.number() })
  .transform((row) => ({ as: row.ended_as, count: row.count, lastAt: row.last }));
export const restRow = z.object({ count: z.number(), bytes: z.number(), failed: z.number() });
export const assetRow = z.object({ asset_id: z.number() }).transform((row) => row.asset_id);
const changesInShort = z.object({
  assigned: z.array(z.int()),
  worded: z.boolean(),
  leftOut: z.int().nonnegative(),
  takenAlong: z.int().nonnegative(),
});
export const madeRow = z
  .object({ asset_id: z.number(), at: z.number(), changes: z.string().nullable() })
  .transform(({ asset_id, at: completedAt, changes }) => ({
    assetId: asset_id,
    at: completedAt,
    ...(changes !== null && { changes: changesInShort.parse(JSON.parse(changes)) }),
  }));
export const idRow = z.object({ id: z.string() }).transform((row) => row.id);

export const fileRow = z
  .object({
    id: z.number(),
    path: z.string(),
    key: z.string(),
    size: z.number(),
    mtime_ms: z.number(),
    part_size: z.number(),
    upload_id: z.string().nullable(),
    upload_checksum: z.enum(['parts', 'whole']).nullable().catch(null),
    complete_sent: z.number(),
    inode: z.union([z.string(), z.number()]).nullable(),
    device: z.string().nullable(),
    ctime_ms: z.number().nullable(),
    content_md5: z.string().nullable(),
    content: z.string().nullable(),
  })
  .refine(({ content, content_md5: md5 }) => (content === null ? null : md5Of(content)) === md5)
  .transform(({ id, path, key, size, mtime_ms, part_size, upload_id, complete_sent, ...file }) => ({
    id,
    path,
    key,
    size,
    mtimeMs: mtime_ms,
    plan: { partSize: part_size, partCount: countParts(size, part_size) },
    uploadId: upload_id,
    uploadChecksum: file.upload_checksum,
    completeSent: complete_sent === 1,
    content: file.content,
    ...(file.ctime_ms === null ? {} : { identity: { fileId: fileIdOf(file), ctimeMs: file.ctime_ms } }),
  }));

function fileIdOf({
  inode,
  device,
}: {
  inode: string | number | null;
  device: string | null;
}): string | null {
  return typeof inode === 'number' ? `${device}:${inode}` : inode;
}

const md5Bytes = 16;
const noEtag: Uint8Array = new Uint8Array(md5Bytes);

/** MD5s take half the space as bytes. */
export function keptEtag(etag: string | null): string | Uint8Array {
  if (etag === null) return noEtag;
  const bytes = Buffer.from(etag, 'hex');
  return bytes.length === md5Bytes && bytes.toString('hex') === etag ? bytes : etag;
}

const etagColumn = z.union([z.string(), z.instanceof(Uint8Array)]).transform((storedEtag) => {
  if (typeof storedEtag === 'string') return storedEtag;
  return storedEtag.some((byte) => byte !== 0) ? Buffer.from(storedEtag).toString('hex') : null;
});
const comparedColumn = z
  .union([z.literal(0).transform(() => 'crc32' as const), z.literal(1).transform(() => 'md5' as const)])
  .nullable()
  .catch(null);

export const sentFileRow = z
  .object({
    id: z.number(),
    key: z.string(),
    size: z.number(),
    mtime_ms: z.number(),
    etag: etagColumn,
    compared_by: comparedColumn,
    part_size: z.number(),
    done: z.number(),
  })
  .transform(({ id, key, size, mtime_ms, etag, compared_by, part_size, done }) => ({
    id,
    key,
    size,
    mtimeMs: mtime_ms,
    etag: done === 1 ? etag : null,
    comparedBy: done === 1 ? compared_by : null,
    partSize: part_size,
  }));

export const fileProgressRow = z
  .object({ key: z.string(), size: z.number(), confirmed: z.number() })
  .transform(({ key, size, confirmed }) => ({ key, size, bytesDone: confirmed }));
export const freePagesRow = z.object({ freelist_count: z.number() }).transform((row) => row.freelist_count);
export const countsRow = z
  .object({ files: z.number(), done_files: z.number() })
  .transform((row) => ({ files: row.files, done: row.done_files }));

export const partRow = z.object({
  file_id: z.number(),
  number: z.number(),
  size: z.number(),
  etag: z.string(),
  crc32: z.number().nullable(),
});
/** Null for an event of a later version. */
export const eventRow = z.object({ event: z.string() }).transform((row): JobEvent | null => {
  const value: unknown = JSON.parse(row.event);
  return laterKind(value) === null ? jobEventSchema.parse(value) : null;
});
export const totalsRow = z.object({ bytes: z.number(), parts: z.number() });
export const speedRow = z.object({ bytes: z.number(), files: z.number(), ms: z.number() });
export const pendingAbortRow = z
  .object({ job_id: z.string(), key: z.string(), upload_id: z.string() })
  .transform((row) => ({ jobId: row.job_id, key: row.key, uploadId: row.upload_id }));
