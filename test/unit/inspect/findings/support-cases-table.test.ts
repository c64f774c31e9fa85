import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findingFacts } from '../../../../shared/findings.ts';

const project = join(import.meta.dirname, '..', '..', '..', '..');
const text = readFileSync(join(project, 'docs', 'reference', 'support-cases.md'), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => /^\| (?:#|[A-Z])/.test(line))
  .map((line) => {
    const [, issue = '', symptom = '', answer = '', finding = '', test = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    return { issue, symptom, answer, finding: finding.replaceAll('`', ''), test };
  });

it('the support table answers at least 36 of 40 cases, each in one of four ways', () => {
  const words = ['found', 'prevented', 'explained', 'not shown'];
  const counts = Map.groupBy(rows, ({ answer }) => words.find((word) => answer.startsWith(word)));
  expect([...counts.keys()].toSorted()).toEqual(words.toSorted());
  const answeredCount = rows.length - (counts.get('not shown')?.length ?? 0);
  expect(answeredCount).toBeGreaterThanOrEqual(36);
  expect(text).toContain(`${answeredCount} of ${rows.length} are found, prevented or explained.`);
});

it.each(rows)('$issue, $symptom: names an existing finding or a test', ({ finding, answer, test }) => {
  if (finding !== '') return expect(Object.keys(findingFacts)).toContain(finding);
  expect(answer).not.toBe('found');
  expect(test).toMatch(/^[CGS]\d+$/);
});
