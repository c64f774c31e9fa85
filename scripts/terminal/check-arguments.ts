import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CheckWishes } from '../../main/source/check/check-sources.ts';
import { assetTypes } from '../../shared/assets.ts';
import { kinds, sourceTypesCalled } from '../../shared/kinds.ts';
import type { Phrase } from '../../strings/phrase.ts';

export interface CheckArguments extends CheckWishes {
  readonly json: boolean;
}

/** A call that can't be understood: what about it, in words. */
export type WrongCall = { readonly wrong: Phrase };

const options = {
  check: { type: 'string', multiple: true },
  type: { type: 'string' },
  json: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
} as const;

/** `--check PATH [PATH …] [--type TYPE] [--json] [--strict]`; paths are resolved, not looked at. */
export function readCheckArguments(args: readonly string[]): CheckArguments | WrongCall {
  const parsed = parse(args);
  if ('wrong' in parsed) return parsed;
  const { values, positionals } = parsed;
  const paths = [...(values.check ?? []), ...positionals];
  if (paths.length === 0 || paths.includes('')) return { wrong: { key: 'check.usage.path' } };
  const sourceTypes = values.type === undefined ? null : sourceTypesCalled(values.type);
  if (values.type !== undefined && !sourceTypes) {
    const known = [...assetTypes, ...kinds.map(({ sourceType }) => sourceType)];
    const list = [...new Set<string>(known)];
    return { wrong: { key: 'check.usage.type', values: { type: values.type, types: { names: list } } } };
  }
  return {
    ...{ paths: paths.map((path) => resolve(path)), sourceTypes },
    ...{ json: values.json, strict: values.strict },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Node says it in English: its first sentence names the option, the others what else it could be.
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/);
    return { wrong: { key: 'check.usage.option', values: { why } } } satisfies WrongCall;
  }
}
