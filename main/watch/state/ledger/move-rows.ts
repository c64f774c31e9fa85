import { z } from 'zod';
import type { Queries } from '../../../jobs/journal/database.ts';
import { isName } from '../../scan/folder/held-folder.ts';

/** Planned moves, in the journal because other users can write to the watched folder. */

const way = z.array(z.string().refine((name) => isName(name))).min(1);

export const movesSchema = z.array(z.object({ from: way.readonly(), to: way.readonly() })).readonly();

/** Entries to move, in order. */
export interface PlannedMoves {
  readonly id: string;
  /** The watched folder, absolute. */
  readonly folder: string;
  /** Absolute. */
  readonly target: string;
  readonly moves: z.infer<typeof movesSchema>;
}

/** Every call is durable when it returns, and throws `journal-full` or `journal-unusable`. */
export interface MoveJournal {
  addMoves(plan: PlannedMoves): void;
  forgetMoves(id: string): void;
  /** Unfinished, oldest first. */
  movesFrom(folder: string): readonly PlannedMoves[];
}

const moveRow = z
  .object({ id: z.string(), folder: z.string(), target: z.string(), moves: z.string() })
  .transform((row): PlannedMoves => ({ ...row, moves: movesSchema.parse(JSON.parse(row.moves)) }));

export function createMoveJournal({ read, run, transaction }: Queries): MoveJournal {
  return {
    addMoves: ({ id, folder, target, moves }) =>
      transaction(() =>
        run(
          'INSERT INTO moves (id, folder, target, moves) VALUES (?, ?, ?, ?)',
          id,
          folder,
          target,
          JSON.stringify(moves),
        ),
      ),
    forgetMoves: (id) => transaction(() => run('DELETE FROM moves WHERE id = ?', id)),
    movesFrom: (folder) => read(moveRow, 'SELECT * FROM moves WHERE folder = ? ORDER BY seq', folder),
  };
}
