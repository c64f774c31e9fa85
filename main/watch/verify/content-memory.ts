import { z } from 'zod';
import type { Queries } from '../../jobs/journal/database.ts';
import type { Content } from './content.ts';

/** What sources held when they were last read for it: an hourly look reads nothing again. In the journal's database. */
export interface ContentMemory {
  /** What the source held when its files' sizes and times, those of any change included, were these (`digest`). Undefined where nobody has read it since. */
  contentSeen(ruleId: string, path: string, digest: string): Content | undefined;
  /** In the place of what was seen there before. */
  seeContent(ruleId: string, path: string, digest: string, content: Content): void;
}

const row = z.object({ content: z.string() });

export function createContentMemory({ read, run, transaction }: Queries): ContentMemory {
  return {
    contentSeen: (ruleId, path, digest) =>
      read(
        row,
        'SELECT content FROM contents_seen WHERE rule_id = ? AND path = ? AND digest = ?',
        ruleId,
        path,
        digest,
      )[0]?.content,
    seeContent: (ruleId, path, digest, content) =>
      transaction(() =>
        run(
          `INSERT INTO contents_seen (rule_id, path, digest, content) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET digest = excluded.digest, content = excluded.content`,
          ruleId,
          path,
          digest,
          content,
        ),
      ),
  };
}
