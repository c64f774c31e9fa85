import fc from 'fast-check';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import type { JobEvent } from '../../../main/jobs/events.ts';

const at = fc.integer({ min: 0, max: 1e13 });
const count = fc.nat();
const error = fc.constantFrom(
  toErrorRecord(new TileliftError('storage-failed', { subject: 'a', remote: { status: 503 } })),
  toErrorRecord(new TileliftError('source-changed', { subject: 'b' })),
);
const kind = <Kind extends JobEvent['kind']>(name: Kind) => fc.constant(name);
const plain = <Kind extends JobEvent['kind']>(name: Kind) => fc.record({ kind: kind(name), at });

const startedEvent = plain('started');
const scannedEvent = fc.record({ kind: kind('scanned'), at, files: count, bytes: count, parts: count });
const createRequested = plain('create-requested');
const assetCreated = fc.record({
  kind: kind('asset-created'),
  at,
  assetId: count,
  credentialsEndAt: at,
  onComplete: fc.constant({ method: 'POST', url: 'https://api.test/x', fields: { a: 1 } }),
});
const uploadFinished = plain('upload-finished');
const completionAccepted = plain('completion-accepted');

export const anyEvent: fc.Arbitrary<JobEvent> = fc.oneof(
  startedEvent,
  scannedEvent,
  createRequested,
  assetCreated,
  uploadFinished,
  completionAccepted,
  plain('create-settled'),
  fc.record({ kind: kind('orphan-left'), at, assetId: count }),
  fc.record({ kind: kind('asset-status'), at, status: fc.string() }),
  fc.record({
    kind: kind('asset-status'),
    at,
    status: fc.string(),
    percent: fc.integer({ min: 0, max: 100 }),
    message: fc.string(),
  }),
  fc.record({ kind: kind('tiled'), at, status: fc.string() }),
  fc.record({ kind: kind('tiling-failed'), at, status: fc.constantFrom('DATA_ERROR', 'ERROR'), error }),
  plain('paused'),
  plain('resumed'),
  plain('cancelled'),
  fc.record({ kind: kind('failed'), at, error }),
  fc.record({ kind: kind('expired'), at, error }),
  fc.record({ kind: kind('expired'), at, error, bytesDone: count }),
  fc.record({ kind: kind('confirmation-asked'), at, error }),
  plain('confirmed'),
  plain('tried-again'),
  fc.record({ kind: kind('troubled'), at, error }),
  fc.record({ kind: kind('recovered'), at, endedAt: at }),
  plain('taken-up'),
  fc.record({
    kind: kind('resent'),
    at,
    path: fc.string(),
    reason: fc.constantFrom('upload-gone' as const, 'parts-refused' as const, 'parts-missing' as const),
  }),
);

/** A job's normal events up to some point, then any events. */
export const anyEvents: fc.Arbitrary<JobEvent[]> = fc
  .tuple(
    fc.nat({ max: 6 }),
    fc.tuple(startedEvent, scannedEvent, createRequested, assetCreated, uploadFinished, completionAccepted),
    fc.array(anyEvent, { maxLength: 12 }),
  )
  .map(([steps, way, otherEvents]) => [...way.slice(0, steps), ...otherEvents]);
