import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import { type JobEvent, laterKind } from '../events.ts';
import { firstState, isEnded, needsOnlyAsset, nextState } from '../state.ts';
import { createQueries } from './database.ts';
import { eventRow, wholeJobRow } from './journal-rows.ts';

/** Unreadable rows of an otherwise sound journal. */
export interface UnreadableRows {
  /** Names, or ids if unknown. */
  readonly jobs: readonly string[];
  readonly laterKinds: readonly string[];
}

const rawJob = z.looseObject({ id: z.string() });
const rawEvent = z.looseObject({ seq: z.number(), job_id: z.string(), event: z.string() });

/**
 * Moves malformed rows to `unreadable`. Without its own row a job leaves the list. With malformed events it
 * fails as `job-unreadable`, unless all bytes are in storage.
 *
 * @param jobId default: all jobs not recorded as ended
 * @throws TileliftError `journal-full`, `journal-unusable`
 */
export function setUnreadableAside(
  database: DatabaseSync,
  path: string,
  nowMs: number,
  jobId?: string,
): UnreadableRows {
  const { read, run, transaction } = createQueries(database, path);
  const names: string[] = [];
  const laterIds = new Set<string>();

  const setJobAside = (id: string) => {
    run(
      `INSERT INTO unreadable (job_id, at, kind, content) SELECT id, ?, 'job', json_object(
           'account_id', account_id, 'paths', paths, 'body', body, 'created_at', created_at, 'exactly', exactly, 'changes', changes, 'predecessor', predecessor)
         FROM jobs WHERE id = ?`,
      nowMs,
      id,
    );
    run('UPDATE jobs SET removed = 2 WHERE id = ?', id);
  };
  const endUnreadable = (id: string, name: string, events: readonly JobEvent[]) => {
    const state = events.reduce(nextState, firstState);
    if (isEnded(state) || needsOnlyAsset(state)) return;
    const append = (event: JobEvent) =>
      run('INSERT INTO events (job_id, event) VALUES (?, ?)', id, JSON.stringify(event));
    if (state.kind === 'paused') append({ kind: 'resumed', at: nowMs });
    const error = toErrorRecord(new TileliftError('job-unreadable', { subject: name }));
    append({ kind: 'failed', at: nowMs, error });
  };

  const rows =
    jobId === undefined
      ? read(rawJob, 'SELECT * FROM jobs WHERE removed = 0 AND ended_at IS NULL ORDER BY rowid')
      : read(rawJob, 'SELECT * FROM jobs WHERE id = ?', jobId);
  for (const row of rows) {
    const job = sense(wholeJobRow, row);
    const events = read(
      rawEvent,
      'SELECT seq, job_id, event FROM events WHERE job_id = ? ORDER BY seq',
      row.id,
    );
    const readableEvents: JobEvent[] = [];
    const brokenRows: number[] = [];
    for (const eventRecord of events) {
      const event = sense(eventRow, eventRecord);
      if (event === undefined) brokenRows.push(eventRecord.seq);
      else if (event) readableEvents.push(event);
      else laterIds.add(laterKind(JSON.parse(eventRecord.event)) ?? '');
    }
    if (job && brokenRows.length === 0) continue;
    names.push(job?.body.name ?? row.id);
    transaction(() => {
      for (const seq of brokenRows) {
        run(
          `INSERT INTO unreadable (job_id, at, kind, content) SELECT job_id, ?, 'event', event FROM events WHERE seq = ?`,
          nowMs,
          seq,
        );
        run('DELETE FROM events WHERE seq = ?', seq);
      }
      // Its end must be derived again from the remaining events.
      run('UPDATE jobs SET ended_at = NULL, ended_as = NULL, ended_bytes = NULL WHERE id = ?', row.id);
      if (job) endUnreadable(row.id, job.body.name, readableEvents);
      else setJobAside(row.id);
    });
  }
  return { jobs: names, laterKinds: [...laterIds] };
}

function sense<T>(schema: z.ZodType<T>, row: unknown): T | undefined {
  try {
    return schema.parse(row);
  } catch {
    return undefined;
  }
}
