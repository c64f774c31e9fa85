import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { createQueries } from '../jobs/journal/database.ts';
import { errorRecord } from '../jobs/kept-words.ts';
import {
  type AlertEvent,
  type AlertMessage,
  type AlertWay,
  alertWays,
  type Delivery,
} from './alert-model.ts';
import type { Conditions } from './conditions.ts';

/**
 * What alerts have to remember over restarts. Every call is on the disk when it returns; throws
 * `journal-full` or `journal-unusable` when it can't be.
 */
export interface AlertJournal {
  conditions(): Conditions;
  /** What lasts now, and what of it is to be told, at one stroke. */
  keepConditions(conditions: Conditions, due: readonly AlertEvent[]): void;
  /** One that is known already stays as it is. So many wait to be told at most; further ones are left out. */
  addEvent(event: AlertEvent): void;
  /** When the oldest that is not part of a message came; null for none. */
  oldestUntold(): number | null;
  lastMessageAt(): number | null;
  /** Combines everything that is due into one message for these channels. Null where there is nothing. */
  makeMessage(at: number, ways: readonly AlertWay[]): AlertMessage | null;
  /** What is to be sent, the oldest first. */
  deliveries(): readonly Delivery[];
  /** Sent, or given up. */
  endDelivery(delivery: Delivery): void;
  tryAgain(delivery: Delivery, nextAt: number): void;
  /** All that wait are due. */
  tryAllNow(): void;
}

/** Named in one message; of others only the number is told. */
const maxTold = 10;
/** That wait to be told. */
const maxEvents = 10_000;
/** What was told is known for this long, so that it is not told twice. */
const rememberMs = 90 * 24 * 3_600_000;

const what = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('failed'), ruleId: z.string(), ruleName: z.string() },
    ...{ source: z.string(), error: errorRecord.nullable() },
  }),
  z.object({
    ...{ kind: z.literal('waiting'), ruleId: z.string(), ruleName: z.string() },
    ...{ source: z.string(), hours: z.number() },
  }),
  z.object({ kind: z.literal('silent'), ruleId: z.string(), ruleName: z.string(), days: z.number() }),
  z.object({ kind: z.literal('signed-out'), ruleId: z.string(), ruleName: z.string() }),
]);
const event = z.object({ id: z.string(), at: z.number(), what });
const message = z.object({ id: z.string(), at: z.number(), told: z.array(event), more: z.number() });

const conditionRow = z.object({ name: z.string(), since: z.number(), told: z.number() });
const eventRow = z
  .object({ id: z.string(), at: z.number(), what: z.string() })
  .transform((row): AlertEvent => ({ ...row, what: what.parse(JSON.parse(row.what)) }));
const deliveryRow = z
  .object({ message: z.string(), way: z.enum(alertWays), tries: z.number(), next_at: z.number() })
  .transform(
    (row): Delivery => ({
      message: message.parse(JSON.parse(row.message)),
      ...{ way: row.way, tries: row.tries, nextAt: row.next_at },
    }),
  );
const numberRow = z.object({ value: z.number().nullable() });

/** Over the journal's database, `path` being its name for people. */
export function createAlertJournal(database: DatabaseSync, path: string): AlertJournal {
  const { read, run, transaction } = createQueries(database, path);
  const one = (text: string) => read(numberRow, text)[0]?.value ?? null;
  const untold = () => one('SELECT count(*) AS value FROM alert_events WHERE message IS NULL') ?? 0;

  function add({ id, at, what }: AlertEvent): void {
    if (untold() >= maxEvents) return;
    run(
      'INSERT INTO alert_events (id, at, what) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      ...[id, at, JSON.stringify(what)],
    );
  }

  return {
    conditions: () =>
      new Map(
        read(conditionRow, 'SELECT * FROM alert_conditions').map(({ name, since, told }) => [
          name,
          { since, isTold: told === 1 },
        ]),
      ),
    keepConditions: (conditions, due) =>
      transaction(() => {
        run('DELETE FROM alert_conditions');
        for (const [name, { since, isTold }] of conditions)
          run(
            'INSERT INTO alert_conditions (name, since, told) VALUES (?, ?, ?)',
            name,
            since,
            Number(isTold),
          );
        for (const event of due) add(event);
      }),
    addEvent: (event) => transaction(() => add(event)),
    oldestUntold: () => one('SELECT min(at) AS value FROM alert_events WHERE message IS NULL'),
    lastMessageAt: () => one('SELECT max(at) AS value FROM alert_messages'),
    makeMessage: (at, ways) => {
      let made: AlertMessage | null = null;
      transaction(() => {
        const told = read(
          eventRow,
          'SELECT id, at, what FROM alert_events WHERE message IS NULL ORDER BY seq LIMIT ?',
          maxTold,
        );
        if (told.length === 0) return;
        made = { id: randomUUID(), at, told, more: untold() - told.length };
        run(
          'INSERT INTO alert_messages (id, at, message) VALUES (?, ?, ?)',
          made.id,
          at,
          JSON.stringify(made),
        );
        run('UPDATE alert_events SET message = ? WHERE message IS NULL', made.id);
        for (const way of ways)
          run(
            'INSERT INTO alert_deliveries (message, way, tries, next_at) VALUES (?, ?, 0, ?)',
            made.id,
            way,
            at,
          );
        run('DELETE FROM alert_events WHERE message IS NOT NULL AND at < ?', at - rememberMs);
        // The newest stays: by it the next one knows when to come.
        run(
          `DELETE FROM alert_messages WHERE id <> ? AND NOT EXISTS
             (SELECT 1 FROM alert_deliveries WHERE alert_deliveries.message = alert_messages.id)`,
          made.id,
        );
      });
      return made;
    },
    deliveries: () =>
      read(
        deliveryRow,
        `SELECT alert_messages.message, way, tries, next_at FROM alert_deliveries
         JOIN alert_messages ON alert_messages.id = alert_deliveries.message ORDER BY alert_messages.seq`,
      ),
    endDelivery: ({ message: { id }, way }) =>
      transaction(() => run('DELETE FROM alert_deliveries WHERE message = ? AND way = ?', id, way)),
    tryAgain: ({ message: { id }, way }, nextAt) =>
      transaction(() =>
        run(
          'UPDATE alert_deliveries SET tries = tries + 1, next_at = ? WHERE message = ? AND way = ?',
          ...[nextAt, id, way],
        ),
      ),
    tryAllNow: () => transaction(() => run('UPDATE alert_deliveries SET next_at = 0')),
  };
}
