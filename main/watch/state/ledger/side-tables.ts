import { resolve } from 'node:path';
import { z } from 'zod';
import { isName } from '../../../files/held-folder.ts';
import type { Queries } from '../../../jobs/journal/database.ts';
import {
  degreesRecord,
  type NotedInspection,
  notedRecord,
  notInspected,
} from '../../model/noted-findings.ts';
import type { WatchRule } from '../../model/rule.ts';
import { batchNumber } from '../../model/source-names.ts';
import type { Content } from '../../scan/content.ts';

type Place = Pick<WatchRule, 'id' | 'folder' | 'unit'>;

const contentRow = z.object({ content: z.string() });
const ruleRow = z.object({ rule_id: z.string() });

/** The ledger's further tables, with the same guarantees. */
export function createSideTables({ read, run, transaction }: Queries) {
  return {
    /** Keyed by `digest`, so that the hourly scan reads nothing again. Undefined if unread. */
    contentSeen: (ruleId: string, path: string, digest: string): Content | undefined =>
      read(
        contentRow,
        'SELECT content FROM contents_seen WHERE rule_id = ? AND path = ? AND digest = ?',
        ...[ruleId, path, digest],
      )[0]?.content,
    seeContent: (ruleId: string, path: string, digest: string, content: Content) =>
      transaction(() =>
        run(
          `INSERT INTO contents_seen (rule_id, path, digest, content) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET digest = excluded.digest, content = excluded.content`,
          ...[ruleId, path, digest, content],
        ),
      ),
    /** Keeps the rows of a removed rule for its replacement. */
    leaveRule: ({ id, folder, unit }: Place, removedAt: number) =>
      transaction(() =>
        run(
          `INSERT INTO removed_rules (rule_id, folder, unit, removed_at) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET folder = excluded.folder, unit = excluded.unit, removed_at = excluded.removed_at`,
          ...[id, resolve(folder), unit.kind, removedAt],
        ),
      ),
    /** Removed rules with the same folder and unit, newest first. */
    rulesBefore: ({ id, folder, unit }: Place) =>
      read(
        ruleRow,
        `SELECT rule_id FROM removed_rules WHERE folder = ? AND unit = ? AND rule_id <> ? ORDER BY removed_at DESC`,
        ...[resolve(folder), unit.kind, id],
      ).map(({ rule_id }) => rule_id),
    /** Moves rows to this rule, whose own take precedence. */
    adopt: (ruleId: string, earlierRuleIds: readonly string[]) =>
      transaction(() => {
        run('DELETE FROM removed_rules WHERE rule_id = ?', ruleId);
        for (const removed of earlierRuleIds) {
          for (const table of ['ledger', 'batches'])
            run(`UPDATE OR IGNORE ${table} SET rule_id = ? WHERE rule_id = ?`, ruleId, removed);
          run('DELETE FROM removed_rules WHERE rule_id = ?', removed);
        }
      }),
  };
}

const inspectionRecord = z.object({ findings: notedRecord.catch([]), degrees: degreesRecord.catch([]) });
const inspectionRow = z
  .object({ inspection: z.string() })
  .transform(({ inspection }) => inspectionRecord.parse(JSON.parse(inspection)));

/** Inspections of uploaded sources, until their receipts. */
export function createNotedRows({ read, run, transaction }: Queries) {
  return {
    /** Call it inside the transaction that adds the job. */
    noteInspection: (jobId: string, inspection: NotedInspection) =>
      transaction(() =>
        run(
          `INSERT INTO noted_inspections (job_id, inspection) VALUES (?, ?)
           ON CONFLICT DO UPDATE SET inspection = excluded.inspection`,
          ...[jobId, JSON.stringify(inspection)],
        ),
      ),
    inspectionOf: (jobId: string): NotedInspection =>
      read(inspectionRow, 'SELECT inspection FROM noted_inspections WHERE job_id = ?', jobId)[0] ??
      notInspected,
  };
}

const ageRow = z.object({ found: z.number() });

/** Replaces the rule in uploads of a lost journal. */
const nobody = '';

/** The journal's age, and its possible gaps. */
export function createRestoredRows({ read, run, transaction }: Queries) {
  const journalAge = () =>
    read(ageRow, 'SELECT coalesce(sum(sources), 0) AS found FROM taken_so_far')[0]?.found ?? 0;
  /** Cached, because it is queried for each source; null until read. */
  let restored: ReadonlySet<string> | null = null;
  const restoredRules = () => {
    restored ??= new Set(read(ruleRow, 'SELECT rule_id FROM restored_rules').map(({ rule_id }) => rule_id));
    return restored;
  };
  return {
    /** Uploaded sources of all rules; only decreases if an older journal replaces this one. */
    journalAge,
    /** Raises the age to `recordedAge`. Sources unknown to these rules may have been uploaded since. */
    beginRestored: (ruleIds: readonly string[], recordedAge: number, timestamp: number) => {
      restored = null;
      transaction(() => {
        run(
          `INSERT INTO taken_so_far (rule_id, sources, last_at) VALUES (?, ?, 0)
           ON CONFLICT DO UPDATE SET sources = sources + excluded.sources`,
          nobody,
          Math.max(0, recordedAge - journalAge()),
        );
        for (const id of ruleIds) {
          run('INSERT OR IGNORE INTO restored_rules (rule_id) VALUES (?)', id);
          // Jobs under way or waiting at that time have probably finished since.
          run(
            `UPDATE ledger SET standing = 'restored', standing_since = ?
             WHERE rule_id = ? AND state IN ('taken', 'waits-for-retry') AND standing IS NOT 'upload'`,
            ...[timestamp, id],
          );
        }
      });
    },
    /** The rule hasn't scanned its whole folder since. */
    isRestored: (ruleId: string) => restoredRules().has(ruleId),
    endRestored: (ruleId: string) => {
      transaction(() => run('DELETE FROM restored_rules WHERE rule_id = ?', ruleId));
      restored = null;
    },
  };
}

/** Planned moves, in the journal because other users can write to the watched folder. */

const way = z.array(z.string().refine((name) => isName(name))).min(1);

export const movesSchema = z.array(z.object({ from: way.readonly(), to: way.readonly() })).readonly();

/** `folder`: the watched folder; both folders are absolute. */
const moveRow = z
  .object({ id: z.string(), folder: z.string(), target: z.string(), moves: z.string() })
  .transform((row) => ({ ...row, moves: movesSchema.parse(JSON.parse(row.moves)) }));

/** Entries to move, in order. */
export type PlannedMoves = Readonly<z.infer<typeof moveRow>>;

export type MoveJournal = ReturnType<typeof createMoveJournal>;

export function createMoveJournal({ read, run, transaction }: Queries) {
  return {
    addMoves: ({ id, folder, target, moves }: PlannedMoves) =>
      transaction(() =>
        run(
          'INSERT INTO moves (id, folder, target, moves) VALUES (?, ?, ?, ?)',
          id,
          folder,
          target,
          JSON.stringify(moves),
        ),
      ),
    forgetMoves: (id: string) => transaction(() => run('DELETE FROM moves WHERE id = ?', id)),
    /** Unfinished, oldest first. */
    movesFrom: (folder: string): readonly PlannedMoves[] =>
      read(moveRow, 'SELECT * FROM moves WHERE folder = ? ORDER BY seq', folder),
  };
}

/** The files that arrived together, by the journal. A file is in one batch at most. */

export interface Batch {
  readonly path: string;
  /** Relative to the watched folder, `/`-separated, NFC. */
  readonly files: readonly string[];
}

interface NamedFiles {
  readonly path: string;
  readonly files: readonly { readonly key: string }[];
}

const pathRow = z.object({ path: z.string() });
// Throws if damaged, because unknown files would be uploaded again.
const filesRow = z
  .object({ files: z.string() })
  .transform(({ files }) => z.array(z.string()).parse(JSON.parse(files)));
const lastRow = z.object({ last: z.number() });

export function createBatchRows({ read, run, transaction }: Queries) {
  /** Not moved away, read one at a time. */
  function* batchesOf(ruleId: string): Iterable<Batch> {
    const paths = read(
      pathRow,
      `SELECT path FROM batches WHERE rule_id = ?1 AND path NOT IN
         (SELECT path FROM ledger WHERE rule_id = ?1 AND moved_to IS NOT NULL)`,
      ruleId,
    );
    const batchPaths = paths.map(({ path }) => path).filter((path) => batchNumber(path) !== null);
    for (const path of batchPaths.sort((a, b) => (batchNumber(a) ?? 0) - (batchNumber(b) ?? 0))) {
      const [files] = read(
        filesRow,
        'SELECT files FROM batches WHERE rule_id = ? AND path = ?',
        ruleId,
        path,
      );
      if (files) yield { path, files };
    }
  }

  return {
    batchesOf,
    /** 0 before the first. */
    lastBatch: (ruleId: string): number =>
      read(
        lastRow,
        `SELECT coalesce(max(CAST(substr(path, 9) AS INTEGER)), 0) AS last FROM
           (SELECT path FROM ledger WHERE rule_id = ?1 UNION ALL SELECT path FROM batches WHERE rule_id = ?1)
         WHERE path GLOB './batch-[1-9]*'`,
        ruleId,
      )[0]?.last ?? 0,
    /** Paths of sources that the rule uploaded or skipped under another unit, not moved away. */
    otherSources: (ruleId: string): readonly string[] =>
      read(pathRow, 'SELECT path FROM ledger WHERE rule_id = ? AND moved_to IS NULL', ruleId)
        .map(({ path }) => path)
        .filter((path) => batchNumber(path) === null),
    /** Stores a batch's files. By default, stored ones stay, so that later arrivals aren't part of it. */
    keepBatch: (ruleId: string, source: NamedFiles, isReplaced = false) =>
      transaction(() => {
        if (batchNumber(source.path) === null) return;
        const [ignoring, replacing] = ['DO NOTHING', 'DO UPDATE SET files = excluded.files'];
        run(
          `INSERT INTO batches (rule_id, path, files) VALUES (?, ?, ?)
           ON CONFLICT ${isReplaced ? replacing : ignoring}`,
          ...[ruleId, source.path, JSON.stringify(source.files.map(({ key }) => key))],
        );
      }),
    dropBatch: (ruleId: string, path: string) =>
      transaction(() => run('DELETE FROM batches WHERE rule_id = ? AND path = ?', ruleId, path)),
  };
}
