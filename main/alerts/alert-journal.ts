import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { createQueries } from '../jobs/journal/database.ts';
import { errorRecord } from '../jobs/stored-errors.ts';
import {
  type AlertEvent,
  type AlertMessage,
  type AlertWay,
  alertWays,
  type Delivery,
} from './alert-model.ts';
import type { Conditions } from './conditions.ts';

/** Every call returns once stored; throws `journal-full` or `journal-unusable`. */
export interface AlertJournal {
  conditions(): Conditions;
  /** Uses one transaction. */
  keepConditions(conditions: Conditions, dueEvents: readonly AlertEvent[]): void;
  /** Ignores known events, and new ones beyond `maxEvents`. */
  addEvent(event: AlertEvent): void;
  /** Null for none. */
  oldestPendingAt(): number | null;
  lastMessageAt(): number | null;
  /** Null without pending events. */
  makeMessage(createdAt: number, ways: readonly AlertWay[]): AlertMessage | null;
  /** Oldest first. */
  deliveries(): readonly Delivery[];
  endDelivery(delivery: Delivery): void;
  tryAgain(delivery: Delivery, nextAt: number): void;
  tryAllNow(): void;
}

/** Further events are only counted. */
const maxEventsPerMessage = 10;
/** Limits pending events. */
const maxEvents = 10_000;
/** Prevents duplicate events. */
const retentionMs = 90 * 24 * 3_600_000;

const alertSchema = z.discriminatedUnion('kind', [
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
const event = z.object({ id: z.string(), at: z.number(), what: alertSchema });
const message = z.object({ id: z.string(), at: z.number(), told: z.array(event), more: z.number() });

const conditionRow = z.object({ name: z.string(), since: z.number(), told: z.number() });
const eventRow = z
  .object({ id: z.string(), at: z.number(), what: z.string() })
  .transform((row): AlertEvent => ({ ...row, what: alertSchema.parse(JSON.parse(row.what)) }));
const deliveryRow = z
  .object({ message: z.string(), way: z.enum(alertWays), tries: z.number(), next_at: z.number() })
  .transform(
    (row): Delivery => ({
      message: message.parse(JSON.parse(row.message)),
      ...{ way: row.way, tries: row.tries, nextAt: row.next_at },
    }),
  );
const numberRow = z.object({ value: z.number().nullable() });

/** `path`: the database's name in error messages. */
export function createAlertJournal(database: DatabaseSync, path: string): AlertJournal {
  const { read, run, transaction } = createQueries(database, path);
  const readNumber = (text: string) => read(numberRow, text)[0]?.value ?? null;
  const countPending = () =>
    readNumber('SELECT count(*) AS value FROM alert_events WHERE message IS NULL') ?? 0;

  function add({ id, at: occurredAt, what: alert }: AlertEvent): void {
    if (countPending() >= maxEvents) return;
    run(
      'INSERT INTO alert_events (id, at, what) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      ...[id, occurredAt, JSON.stringify(alert)],
    );
  }

  return {
    conditions: () =>
      new Map(
        read(conditionRow, 'SELECT * FROM alert_conditions').map(
          ({ name, since: startedAt, told: reportedCount }) => [
            name,
            { startedAt, isTold: reportedCount === 1 },
          ],
        ),
      ),
    keepConditions: (conditions, dueEvents) =>
      transaction(() => {
        run('DELETE FROM alert_conditions');
        for (const [name, { startedAt, isTold }] of conditions)
          run(
            'INSERT INTO alert_conditions (name, since, told) VALUES (?, ?, ?)',
            name,
            startedAt,
            Number(isTold),
          );
        for (const event of dueEvents) add(event);
      }),
    addEvent: (event) => transaction(() => add(event)),
    oldestPendingAt: () => readNumber('SELECT min(at) AS value FROM alert_events WHERE message IS NULL'),
    lastMessageAt: () => readNumber('SELECT max(at) AS value FROM alert_messages'),
    makeMessage: (createdAt, ways) => {
      let created: AlertMessage | null = null;
      transaction(() => {
        const events = read(
          eventRow,
          'SELECT id, at, what FROM alert_events WHERE message IS NULL ORDER BY seq LIMIT ?',
          maxEventsPerMessage,
        );
        if (events.length === 0) return;
        created = { id: randomUUID(), at: createdAt, told: events, more: countPending() - events.length };
        run(
          'INSERT INTO alert_messages (id, at, message) VALUES (?, ?, ?)',
          created.id,
          createdAt,
          JSON.stringify(created),
        );
        run('UPDATE alert_events SET message = ? WHERE message IS NULL', created.id);
        for (const way of ways)
          run(
            'INSERT INTO alert_deliveries (message, way, tries, next_at) VALUES (?, ?, 0, ?)',
            created.id,
            way,
            createdAt,
          );
        run('DELETE FROM alert_events WHERE message IS NOT NULL AND at < ?', createdAt - retentionMs);
        // Keep the newest message: its time determines the next one.
        run(
          `DELETE FROM alert_messages WHERE id <> ? AND NOT EXISTS
             (SELECT 1 FROM alert_deliveries WHERE alert_deliveries.message = alert_messages.id)`,
          created.id,
        );
      });
      return created;
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
