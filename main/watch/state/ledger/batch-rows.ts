import { z } from 'zod';
import type { Queries } from '../../../jobs/journal/database.ts';
import { batchNumber } from '../../model/batch-path.ts';

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

/** Every call throws `journal-full` or `journal-unusable`. */
export interface BatchRows {
  /** Not moved away, read one at a time. */
  batchesOf(ruleId: string): Iterable<Batch>;
  /** Changes after every change of these results. */
  batchGeneration(ruleId: string): number;
  /** 0 before the first. */
  lastBatch(ruleId: string): number;
  /** Paths of sources that the rule uploaded or skipped under another unit, not moved away. */
  otherSources(ruleId: string): readonly string[];
  /** Stores the batch's files unless they are stored, so that later arrivals aren't part of it. */
  keepBatch(ruleId: string, batch: NamedFiles): void;
}

/** Runs in the ledger's own transactions; ignores other sources. */
interface BatchWrites {
  put(ruleId: string, source: NamedFiles): void;
  drop(ruleId: string, path: string): void;
  touch(ruleId: string): void;
}

const pathRow = z.object({ path: z.string() });
// Throws if damaged, because unknown files would be uploaded again.
const filesRow = z
  .object({ files: z.string() })
  .transform(({ files }) => z.array(z.string()).parse(JSON.parse(files)));
const lastRow = z.object({ last: z.number() });

export function createBatchRows({ read, run, transaction }: Queries): {
  readonly rows: BatchRows;
  readonly writes: BatchWrites;
} {
  const generations = new Map<string, number>();
  const generationOf = (ruleId: string) => generations.get(ruleId) ?? 0;
  const touch = (ruleId: string) => void generations.set(ruleId, generationOf(ruleId) + 1);
  const text = ({ files }: NamedFiles) => JSON.stringify(files.map(({ key }) => key));

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

  const rows: BatchRows = {
    batchesOf,
    batchGeneration: generationOf,
    lastBatch: (ruleId) =>
      read(
        lastRow,
        `SELECT coalesce(max(CAST(substr(path, 9) AS INTEGER)), 0) AS last FROM
           (SELECT path FROM ledger WHERE rule_id = ?1 UNION ALL SELECT path FROM batches WHERE rule_id = ?1)
         WHERE path GLOB './batch-[1-9]*'`,
        ruleId,
      )[0]?.last ?? 0,
    otherSources: (ruleId) =>
      read(pathRow, 'SELECT path FROM ledger WHERE rule_id = ? AND moved_to IS NULL', ruleId)
        .map(({ path }) => path)
        .filter((path) => batchNumber(path) === null),
    keepBatch: (ruleId, source) =>
      transaction(() => {
        if (batchNumber(source.path) === null) return;
        run(
          'INSERT OR IGNORE INTO batches (rule_id, path, files) VALUES (?, ?, ?)',
          ruleId,
          source.path,
          text(source),
        );
        touch(ruleId);
      }),
  };
  const writes: BatchWrites = {
    put: (ruleId, source) => {
      if (batchNumber(source.path) === null) return;
      run(
        `INSERT INTO batches (rule_id, path, files) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET files = excluded.files`,
        ruleId,
        source.path,
        text(source),
      );
      touch(ruleId);
    },
    drop: (ruleId, path) => {
      if (batchNumber(path) !== null) run('DELETE FROM batches WHERE rule_id = ? AND path = ?', ruleId, path);
      touch(ruleId);
    },
    touch,
  };
  return { rows, writes };
}
