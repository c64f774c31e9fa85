import type { RecordedRequest } from '../../test/service/model.ts';

/** Faults that require the bytes to be sent again. */
const destructive: ReadonlySet<RecordedRequest['fault']> = new Set([
  'status',
  'raw',
  'cut-request',
  'cut-answer',
  'stall',
  'corrupt-request',
]);

export interface Kill {
  readonly at: number;
  readonly lanes: number;
}

interface ResentRequest {
  /** Bytes received beyond those that storage keeps. */
  readonly bytes: number;
  readonly byKill: readonly number[];
}

/**
 * Measures bytes that were sent more than once. The last successful request of a part or file counts, earlier
 * ones were wasted. Refused and faulty requests are attributed to faults, the others to the first kill after
 * them.
 *
 * @param requests null for unrelated requests
 * @param blameless indices of requests undone by something other than a kill
 */
export function countResent(
  requests: readonly (RecordedRequest | null)[],
  kills: readonly Kill[],
  blameless: ReadonlySet<number>,
): ResentRequest {
  const byKill = kills.map(() => 0);
  let bytes = 0;
  for (const group of bodies(requests).values()) {
    const keptRequest = group.findLast(
      ({ request }) => request.status === 200 && !destructive.has(request.fault),
    );
    for (const { request, index } of group) {
      if (index === keptRequest?.index) continue;
      bytes += request.bodyBytes;
      if (request.status >= 400 || destructive.has(request.fault) || blameless.has(index)) continue;
      const kill = kills.findIndex(({ at }) => at >= request.at);
      if (kill >= 0) byKill[kill] = (byKill[kill] ?? 0) + request.bodyBytes;
    }
  }
  return { bytes, byKill };
}

interface IndexedRequest {
  readonly request: RecordedRequest;
  readonly index: number;
}

/** Groups requests by key and part number, regardless of the upload id. */
function bodies(
  requests: readonly (RecordedRequest | null)[],
): ReadonlyMap<string, readonly IndexedRequest[]> {
  const carrying = requests.flatMap((request, index) =>
    request?.room === 'storage' && request.method === 'PUT' ? [{ request, index }] : [],
  );
  return Map.groupBy(carrying, ({ request }) => carriedBy(request.path));
}

/** Identifies a request's body by path and part number. */
export function carriedBy(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://storage');
  return `${pathname} ${searchParams.get('partNumber') ?? ''}`;
}
