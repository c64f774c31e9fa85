import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { createJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../../main/jobs/journal/journal-model.ts';
import { planFile } from '../../../../main/transfer/plan.ts';
import { jobRecord } from '../job-record.ts';

/** Statements since the last check. */
let statements: string[];
let database: DatabaseSync;
let journal: Journal;

beforeEach(() => {
  database = openDatabase(':memory:');
  statements = [];
  const watched = new Proxy(database, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]) => {
        if (name === 'prepare') statements.push(String(parameters[0]));
        return value.apply(target, parameters);
      };
    },
  });
  journal = createJournal(watched, ':memory:');
});
afterEach(() => journal.close());

/** SQLite's query plan of each statement. */
function plans(): readonly string[] {
  const steps = statements.flatMap((text) => database.prepare(`EXPLAIN QUERY PLAN ${text}`).all());
  statements = [];
  return steps.map(({ detail }) => String(detail));
}

/** Whether the step uses an index instead of a scan or a sort. */
const isReadInPlace = (step: string) =>
  /^(?:SEARCH|LIST SUBQUERY|CORRELATED|CO-ROUTINE)/.test(step) || /^SCAN \w+ VIRTUAL TABLE/.test(step);

describe('a page of a million files', () => {
  const plan = planFile(10);
  const file = (key: string, size = 10) => ({ path: `/data/${key}`, key, size, mtimeMs: 1, plan });

  it.each<[string, () => unknown]>([
    ['those that an open upload shows', () => journal.fileProgress('a', 100)],
    ['those that are to be sent, small ones', () => journal.filesToSend('a', { id: 2 ** 32 + 9, size: 10 })],
    ['those that are to be sent, large ones', () => journal.filesToSend('a', { id: 0, size: 9_000_000 })],
    ['those that are not sent', () => journal.unfinishedFiles('a', 2 ** 32 + 9)],
    ['all', () => journal.sentFiles('a', 2 ** 32 + 9)],
  ])('a page of a million files reads %s by index', (_what, read) => {
    journal.addJob(jobRecord('a'));
    journal.addFiles('a', [file('x/1'), file('x/2', 20_000_000)]);
    statements = [];
    read();
    const steps = plans();
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => !isReadInPlace(step))).toEqual([]);
  });

  it('a page of a million files reads no more rows than it returns, at the end as at the beginning', () => {
    journal.addJob(jobRecord('a'));
    for (let at = 0; at < 20; at++)
      journal.addFiles(
        'a',
        Array.from({ length: 500 }, (_, index) => file(`${at}/${index}`)),
      );
    let reads = 0;
    // One query for the folder of each row.
    database.function('coalesce', { varargs: true }, (...parameters) => {
      reads += 1;
      return parameters.find((item) => item !== null) ?? null;
    });
    const pageReads: number[] = [];
    for (let page = journal.sentFiles('a'); page.length > 0; page = journal.sentFiles('a', page.at(-1)?.id)) {
      pageReads.push(reads);
      reads = 0;
    }
    expect(new Set(pageReads)).toEqual(new Set([500]));
    expect(pageReads).toHaveLength(20);
  });
});

it.each<[string, () => unknown]>([
  ['the first', () => journal.endedPage(100)],
  ['a further one', () => journal.endedPage(100, { createdAt: 5, row: 5 })],
  ['one of a search', () => journal.endedFacts(100)],
  ['a further one of a search', () => journal.endedFacts(100, { createdAt: 5, row: 5 })],
  ['how they ended', () => journal.endedTotals()],
])('a page of ended uploads reads %s in index order', (_what, read) => {
  statements = [];
  read();
  const steps = plans();
  expect(steps.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
  expect(steps.filter((step) => /^(?:SCAN|SEARCH) jobs\b/.test(step))).toHaveLength(1);
  expect(steps.filter((step) => /^SCAN jobs$/.test(step))).toEqual([]);
});
