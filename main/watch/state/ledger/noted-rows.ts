import { z } from 'zod';
import type { Queries } from '../../../jobs/journal/database.ts';
import { type NotedFinding, notedRecord } from '../../model/noted-findings.ts';

/** Findings of uploaded sources, until their receipts. */
export interface NotedRows {
  /** Call it inside the transaction that adds the job. */
  noteFindings(jobId: string, findings: readonly NotedFinding[]): void;
  findingsOf(jobId: string): readonly NotedFinding[];
}

const notedRow = z
  .object({ findings: z.string() })
  .transform(({ findings }) => notedRecord.catch([]).parse(JSON.parse(findings)));

/** Every call is durable when it returns, and throws `journal-full` or `journal-unusable`. */
export function createNotedRows({ read, run, transaction }: Queries): NotedRows {
  return {
    noteFindings: (jobId, findings) =>
      transaction(() =>
        run(
          `INSERT INTO noted_findings (job_id, findings) VALUES (?, ?)
           ON CONFLICT DO UPDATE SET findings = excluded.findings`,
          ...[jobId, JSON.stringify(findings)],
        ),
      ),
    findingsOf: (jobId) =>
      read(notedRow, 'SELECT findings FROM noted_findings WHERE job_id = ?', jobId)[0] ?? [],
  };
}
