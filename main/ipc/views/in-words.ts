import { errorTable } from '../../error-table.ts';
import { type ErrorRecord, saidError } from '../../errors.ts';

/**
 * A value on its way to the page, with every error in it said in the language that is spoken now, wherever it lies: inside main errors are in English.
 * What holds no error is given as it is.
 */
export function inWords<T>(value: T): T {
  return walk(value) as T;
}

function walk(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapped(value, walk);
  if (isErrorRecord(value)) return saidError(value);
  let changed: Record<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    const said = walk(inner);
    if (said !== inner) changed = { ...(changed ?? value), [name]: said };
  }
  return changed ?? value;
}

function mapped(list: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] {
  const all = list.map(map);
  return all.some((item, index) => item !== list[index]) ? all : list;
}

function isErrorRecord(value: object): value is ErrorRecord {
  return (
    'code' in value &&
    typeof value.code === 'string' &&
    Object.hasOwn(errorTable, value.code) &&
    'message' in value &&
    'advice' in value &&
    'retryable' in value
  );
}
