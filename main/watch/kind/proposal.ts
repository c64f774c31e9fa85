import type { Suggestion } from '../../../shared/source.ts';
import { bytesOf } from '../../files/file-table.ts';
import { createPage } from '../../files/pages.ts';
import { readNamed } from '../../inspect/grouping/read-named.ts';
import { decisionMs, type Look, lookInside } from '../../inspect/headers/look-inside.ts';
import type { LookThread } from '../../inspect/headers/look-thread.ts';
import { fileInDoubt } from '../../inspect/kind-of-data.ts';
import { createReferences } from '../../inspect/together/references.ts';
import type { Clock } from '../../outside.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';

export interface KindParts {
  readonly looks: LookThread;
  readonly clock: Clock;
}

/** What the New asset sheet proposes for the files of a source. */
interface Proposal {
  /** Null where no kind is recognized, or where only the extension speaks and could mean two things. */
  readonly suggestion: Suggestion | null;
  /** Source types of the assets. */
  readonly sourceTypes: ReadonlySet<string>;
  /** Absolute paths of files that go into no asset. */
  readonly leftOut: ReadonlySet<string>;
}

/** Inspects a source as if it were dropped on the window, and waits up to `decisionMs` for headers. */
export async function proposeFor(
  { files, paths }: Pick<FoundSource, 'files' | 'paths'>,
  { looks: thread, clock }: KindParts,
): Promise<Proposal> {
  let late: string | null = null;
  let looks: ReadonlyMap<string, Look> = new Map();
  // Coordinate systems are loaded with the first source.
  const { inspectSource } = await import('../../inspect/inspect-source.ts');
  const source = await inspectSource(paths, {
    scan: async () => ({ files, bytes: bytesOf(files), ignored: [] }),
    lookInside: async (sources) => {
      const onLate = (key: string) => {
        late = key;
      };
      looks = await lookInside(sources, clock, thread, decisionMs, { onLate });
      return looks;
    },
    readNamed: (all) =>
      readNamed(all, createReferences(thread, 'dropped').read, clock, createPage(), decisionMs),
  });
  const { suggestion, allPieces } = source;
  const isSure = fileInDoubt(suggestion, source.files, looks, late) === null;
  const leftOut = new Set<string>();
  // Photos whose headers were late may be a capture.
  for (const piece of late === null ? allPieces : [])
    for (const at of piece.reason === null ? [] : piece.files) leftOut.add(files[at]?.path ?? '');
  const sourceTypes = new Set(allPieces.flatMap(({ kind }) => kind ?? []));
  return { suggestion: isSure ? suggestion : null, sourceTypes, leftOut };
}

type RuleOfKind = Pick<WatchRule, 'kindFrom' | 'sourceType'>;

/**
 * Absolute paths of files that the rule doesn't upload, because the New asset sheet leaves them out. None
 * where the sheet would create no asset of the rule's kind.
 */
export async function leftOutBy(
  rule: RuleOfKind,
  source: Pick<FoundSource, 'files' | 'paths'>,
  parts: KindParts,
): Promise<ReadonlySet<string>> {
  if (source.files.length < 2) return new Set();
  const { leftOut, sourceTypes } = await proposeFor(source, parts);
  return rule.kindFrom === 'content' || sourceTypes.has(rule.sourceType) ? leftOut : new Set();
}
