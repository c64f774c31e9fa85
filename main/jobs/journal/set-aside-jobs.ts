import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import { type JobEvent, laterKind } from '../events.ts';
import { firstState, goesOnAlone, isEnded, next } from '../state.ts';
import { createQueries } from './database.ts';
import { eventRow, wholeJobRow } from './journal-rows.ts';

/**
 * What could not be read in a journal that is sound as a database. Jobs with such rows are set aside one by
 * one; all others continue.
 */

export interface UnreadableRows {
  /** Jobs of which something can't be read, by name where that is known, else by id. */
  readonly jobs: readonly string[];
  /** Kinds of events that only a later version knows. */
  readonly laterKinds: readonly string[];
}

const rawJob = z.looseObject({ id: z.string() });
const rawEvent = z.looseObject({ seq: z.number(), job_id: z.string(), event: z.string() });

/**
 * Moves rows that make no sense into `unreadable`, where nothing is lost and nobody trips over them. A job
 * whose own row is one leaves the list. One with such events has failed, `job-unreadable`, unless all its
 * bytes are in storage: then what is left to do follows from the asset.
 *
 * @param now ms since the epoch
 * @param jobId the one to look at; default: all that are not known to have ended
 * @throws TileliftError `journal-full`, `journal-unusable`
 */
export function setUnreadableAside(
  database: DatabaseSync,
  path: string,
  now: number,
  jobId?: string,
): UnreadableRows {
  const { read, run, transaction } = createQueries(database, path);
  const names: string[] = [];
  const later = new Set<string>();

  const setJobAside = (id: string) => {
    run(
      `INSERT INTO unreadable (job_id, at, kind, content) SELECT id, ?, 'job', json_object(
           'account_id', account_id, 'paths', paths, 'body', body, 'created_at', created_at, 'exactly', exactly, 'changes', changes, 'predecessor', predecessor)
         FROM jobs WHERE id = ?`,
      now,
      id,
    );
    run('UPDATE jobs SET removed = 2 WHERE id = ?', id);
  };
  const endUnreadable = (id: string, name: string, events: readonly JobEvent[]) => {
    const state = events.reduce(next, firstState);
    if (isEnded(state) || goesOnAlone(state)) return;
    const append = (event: JobEvent) =>
      run('INSERT INTO events (job_id, event) VALUES (?, ?)', id, JSON.stringify(event));
    if (state.kind === 'paused') append({ kind: 'resumed', at: now });
    const error = toErrorRecord(new TileliftError('job-unreadable', { subject: name }));
    append({ kind: 'failed', at: now, error });
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
    const readable: JobEvent[] = [];
    const broken: number[] = [];
    for (const one of events) {
      const event = sense(eventRow, one);
      if (event === undefined) broken.push(one.seq);
      else if (event) readable.push(event);
      else later.add(laterKind(JSON.parse(one.event)) ?? '');
    }
    if (job && broken.length === 0) continue;
    names.push(job?.body.name ?? row.id);
    transaction(() => {
      for (const seq of broken) {
        run(
          `INSERT INTO unreadable (job_id, at, kind, content) SELECT job_id, ?, 'event', event FROM events WHERE seq = ?`,
          now,
          seq,
        );
        run('DELETE FROM events WHERE seq = ?', seq);
      }
      // What its events said of its end is to be told from those that are left.
      run('UPDATE jobs SET ended_at = NULL, ended_as = NULL, ended_bytes = NULL WHERE id = ?', row.id);
      if (job) endUnreadable(row.id, job.body.name, readable);
      else setJobAside(row.id);
    });
  }
  return { jobs: names, laterKinds: [...later] };
}

/** Undefined where the row makes no sense. */
function sense<T>(schema: z.ZodType<T>, row: unknown): T | undefined {
  try {
    return schema.parse(row);
  } catch {
    return undefined;
  }
}
