import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { foreignAnswers } from './foreign-answers.ts';
import { callRefusals, inWords, jobRefusals } from './refusals.ts';
import { requestNames } from './requests.ts';
import { situationGroups } from './situations.ts';

const root = join(import.meta.dirname, '..', '..');
const file = join(root, 'docs', 'reference', 'answers.md');
const situations = Object.values(situationGroups).flat();

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const sections = {
  foreign: foreignAnswers.map(({ name }) => `- ${name}`).join('\n'),
  situations: table(
    ['request', 'state', 'reaction'],
    situations.map(({ request, state, meanwhile }) => [request, state, meanwhile]),
  ),
  refusals: table(
    ['request', 'response', 'reaction'],
    [...jobRefusals, ...callRefusals].map(({ request, says: words, ending: endingKind }) => [
      request,
      words,
      inWords(endingKind),
    ]),
  ),
};

it('docs/reference/answers.md contains the tested tables (`vitest -u` updates them)', async () => {
  let text = await readFile(file, 'utf8');
  for (const [name, section] of Object.entries(sections)) {
    const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
    expect(text).toMatch(place);
    text = text.replace(place, (_, heading: string, end: string) => `${heading}${section}\n${end}`);
  }
  await expect(text).toMatchFileSnapshot(file);
});

it('docs/reference/answers.md names tests, a response or a state for each of its 17 points', async () => {
  const text = await readFile(file, 'utf8');
  const rows = [...text.matchAll(/^\| (\d+) \| .+? \|(.*)\|$/gm)];
  expect(rows.map(([, number]) => Number(number))).toEqual(
    Array.from({ length: 17 }, (_, index) => index + 1),
  );
  const quoted = (cell = '') => [...cell.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
  const unnamedRows = rows.filter(([, , cell = '']) => !/\b[GS]\d+/.test(cell) && quoted(cell).length === 0);
  expect(unnamedRows).toEqual([]);
  const tables = sections.foreign + sections.situations;
  expect(rows.flatMap(([, , cell]) => quoted(cell)).filter((name) => !tables.includes(name))).toEqual([]);
});

it('the table of foreign answers has at least 20 foreign answers with different names', () => {
  expect(new Set(foreignAnswers.map(({ name }) => name)).size).toBe(foreignAnswers.length);
  expect(foreignAnswers.length).toBeGreaterThanOrEqual(20);
});

it('table of foreign answers: covers every request of the contract and of storage in over 400 cases', () => {
  expect(new Set(situations.map(({ request }) => request))).toEqual(new Set(requestNames));
  expect(situations.length * foreignAnswers.length).toBeGreaterThan(400);
});
