import { setImmediate } from 'node:timers/promises';
import { TileliftError } from '../../errors.ts';
import { Fingerprint, lineOf } from '../../source/fingerprint.ts';
import { createIsDerived } from '../../source/left-out/derived-files.ts';
import type { SourceFile } from '../../source/model.ts';
import type { ExactSource, NewJob } from '../model.ts';

/** Files hashed in one go: a few milliseconds' worth. */
const page = 2_000;

/**
 * Throws `source-changed` when a job is for an exact source and these files are not it, or the signal's
 * reason. What programs derive from the data when someone looks at them may have come or gone.
 */
export async function checkExact(
  { paths, exactly }: Pick<NewJob, 'paths' | 'exactly'>,
  files: readonly SourceFile[],
  signal: AbortSignal,
): Promise<void> {
  if (!exactly?.fingerprint) return;
  const [all, data] = [new Fingerprint(), new Fingerprint()];
  const keys = new Set(files.map(({ key }) => key));
  const isDerived = createIsDerived((key) => keys.has(key));
  for (const [index, file] of files.entries()) {
    if (index % page === page - 1) await setImmediate();
    signal.throwIfAborted();
    const line = lineOf(file);
    all.add(line);
    if (!isDerived(file.key)) data.add(line);
  }
  // Jobs of before counted every file, and so do those of a source that holds nothing but derived ones.
  if (![data.digest(), all.digest()].includes(exactly.fingerprint))
    throw new TileliftError('source-changed', { subject: nameOf(paths) });
}

function nameOf(paths: readonly string[]): string {
  const [first, ...others] = paths;
  return others.length === 0 ? (first ?? '') : `${first} with ${others.length} more`;
}

/** For a job that someone wants once more: the same files by the same keys, but as they are by then. */
export function asItIs(exactly: ExactSource): ExactSource {
  return { ...exactly, fingerprint: null };
}
