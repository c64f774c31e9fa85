import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { openJournal } from '../../main/jobs/journal/journal.ts';
import type { ChaosObject } from './stores/store.ts';

/** Recorded comparisons of small files and parts. */
export interface ProofCount {
  readonly byCrc32: number;
  readonly byMd5: number;
}

const partRows = z.array(
  z.object({ file_id: z.number(), number: z.number(), crc32: z.number().nullable() }).readonly(),
);

/**
 * Compares the journal's claims about each file and part with storage's actual comparisons. Returns the keys
 * with false claims.
 *
 * @param name of the job
 * @param foundObjects objects by their key below the asset's prefix
 */
export async function compareProofs(
  journalPath: string,
  name: string,
  foundObjects: ReadonlyMap<string, ChaosObject>,
  mayCompareCrc32: boolean,
): Promise<{ readonly count: ProofCount; readonly false: readonly string[] }> {
  const parts = new Map<number, boolean[]>();
  const database = new DatabaseSync(journalPath, { readOnly: true });
  const rows = database.prepare('SELECT file_id, number, crc32 FROM parts ORDER BY file_id, number').all();
  database.close();
  for (const { file_id, crc32 } of partRows.parse(rows))
    parts.set(file_id, [...(parts.get(file_id) ?? []), crc32 !== null]);

  const unknownProofs = { md5: true, crc32: mayCompareCrc32 };
  const wrongKeys = new Set<string>();
  let byCrc32 = 0;
  let byMd5 = 0;
  for (const { id, key, comparedBy } of filesOf(journalPath, name)) {
    const object = foundObjects.get(key);
    // Missing objects are reported elsewhere.
    if (!object) continue;
    const claims = parts.get(id) ?? (comparedBy === null ? [] : [comparedBy === 'crc32']);
    for (const [index, isCrc32] of claims.entries()) {
      if (isCrc32) byCrc32 += 1;
      else byMd5 += 1;
      const storedProofs = object.comparedProofs === null ? unknownProofs : object.comparedProofs[index];
      if (!(isCrc32 ? storedProofs?.crc32 : storedProofs?.md5)) wrongKeys.add(key);
    }
    const wholeProof = claims.every((isCrc32) => isCrc32)
      ? 'crc32'
      : claims.some((isCrc32) => isCrc32)
        ? null
        : 'md5';
    if (claims.length > 0 && comparedBy !== wholeProof) wrongKeys.add(key);
  }
  return { count: { byCrc32, byMd5 }, false: [...wrongKeys] };
}

function filesOf(journalPath: string, name: string) {
  const journal = openJournal(journalPath);
  try {
    const job = journal.jobs().find(({ body }) => body.name === name);
    if (!job) throw new Error(`the journal knows no job ${name}`);
    const files = [];
    for (let afterId = 0; ; ) {
      const page = journal.sentFiles(job.id, afterId);
      files.push(...page);
      const lastId = page.at(-1)?.id;
      if (lastId === undefined) return files;
      afterId = lastId;
    }
  } finally {
    journal.close();
  }
}
