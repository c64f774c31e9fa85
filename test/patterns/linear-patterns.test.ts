import { join } from 'node:path';
import { checkSync } from 'recheck';
import { expect, it } from 'vitest';
import { secretPatterns } from '../../main/redact.ts';
import { type PatternLiteral, patternsInSource } from './pattern-literals.ts';

const { literals, built } = patternsInSource(join(import.meta.dirname, '..', '..'));
const keyOf = ({ source, flags }: Pick<RegExp, 'source' | 'flags'>) => `/${source}/${flags}`;
const distinctPatterns = new Map(literals.map((literal) => [keyOf(literal), literal]));
/** The only module that composes patterns at run time, and exports them for this check. */
const mayBuild = 'main/redact.ts';
/** ms for one pattern on a busy machine. */
const patience = 120_000;

/** Returns the fault, or null. */
function describeFault({ source, flags, place }: PatternLiteral): string | null {
  const diagnosis = checkSync(source, flags, { timeout: patience, randomSeed: 1 });
  if (diagnosis.status === 'safe') return null;
  const reason = diagnosis.status === 'vulnerable' ? diagnosis.complexity.summary : diagnosis.error.kind;
  const text = diagnosis.status === 'vulnerable' ? `, for example on ${diagnosis.attack.pattern}` : '';
  return `${place}: /${source}/${flags} takes more time than in proportion to its text (${reason}${text})`;
}

it('finds patterns that take more than linear time', () => {
  for (const source of ['^mtllib\\s+(.+)$', '(a+)+$', '\\S.*?\\.mtl(?=\\s|$)', '\\s+$'])
    expect(describeFault({ source, flags: 'i', place: 'here:1' })).toContain('here:1');
  expect(literals.length).toBeGreaterThan(100);
});

it('S22: matches every regular expression in linear time', { timeout: 600_000 }, () => {
  expect([...distinctPatterns.values()].flatMap((literal) => describeFault(literal) ?? [])).toEqual([]);
});

it('matches the composed redaction patterns in linear time', { timeout: 600_000 }, () => {
  const composedPatterns = secretPatterns.filter((pattern) => !distinctPatterns.has(keyOf(pattern)));
  expect(composedPatterns.length).toBeGreaterThan(3);
  expect(
    composedPatterns.flatMap(({ source, flags }) => describeFault({ source, flags, place: mayBuild }) ?? []),
  ).toEqual([]);
});

it('composes regular expressions in the redaction module only, since others can’t be checked', () => {
  expect(built.filter((place) => !place.startsWith(`${mayBuild}:`))).toEqual([]);
});
