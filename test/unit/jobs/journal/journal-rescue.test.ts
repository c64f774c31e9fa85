import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobEvent } from '../../../../main/jobs/events.ts';
import { openJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../../main/jobs/journal/journal-model.ts';
import { openJournalOrRescue } from '../../../../main/jobs/journal/journal-rescue.ts';
import { firstState, nextState } from '../../../../main/jobs/state.ts';
import { errorAdvice } from '../../../../main/say.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { jobRecord } from '../job-record.ts';

const now = Date.UTC(2026, 10, 20, 6, 51, 29);
const asideName = 'journal-damaged-2026-11-20T06-51-29.db';
let folder: string;
let path: string;
let openedJournal: Journal | null = null;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'journal.db');
});
afterEach(() => {
  openedJournal?.close();
  openedJournal = null;
});

const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };
const toUploading: readonly JobEvent[] = [
  { kind: 'started', at: 1 },
  { kind: 'scanned', at: 2, files: 1, bytes: 1, parts: 1 },
  { kind: 'asset-created', at: 3, assetId: 42, credentialsEndAt: 9, onComplete },
];
const toComplete: readonly JobEvent[] = [
  ...toUploading,
  { kind: 'upload-finished', at: 4 },
  { kind: 'completion-accepted', at: 5 },
  { kind: 'tiled', at: 6, status: 'COMPLETE' },
];

function write(jobs: Readonly<Record<string, readonly JobEvent[]>>): void {
  const journal = openJournal(path);
  for (const [id, events] of Object.entries(jobs)) {
    const { body, ...record } = jobRecord(id);
    journal.addJob({ ...record, body: { ...body, name: id } });
    for (const event of events) journal.append(id, event);
  }
  journal.close();
}

function alter(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** Overwrites the first page with these words in the second half of the file with noise. */
/** `sparing`: words that the page must not contain. */
function spoilPageWith(words: string, sparing: readonly string[] = []): void {
  const bytes = readFileSync(path);
  const pageFrom = (start: number): number => {
    const at = bytes.indexOf(words, start);
    expect(at).toBeGreaterThan(0);
    const match = at - (at % 4096);
    const isSpared = sparing.some((item) => bytes.subarray(match, match + 4096).includes(item));
    return isSpared ? pageFrom(match + 4096) : match;
  };
  const page = pageFrom(bytes.length / 2);
  bytes.fill(0xff, page, page + 4096);
  writeFileSync(path, bytes);
}

/** A row of the ledger that fails the database's own checks. */
const someDamage = `
  PRAGMA ignore_check_constraints = ON;
  INSERT INTO ledger (rule_id, path, identity, newest_ms, state, taken_at, retries, restarts, files, bytes)
    VALUES ('r', 'p', 'i', 1, 'odd', 1, 0, 0, 1, 1)`;
/** A row outside the ledger that fails the checks. */
const otherDamage = `
  PRAGMA ignore_check_constraints = ON;
  INSERT INTO activity (rule_id, at, text, said) VALUES ('rule', 2, 'odd', '{')`;

function open() {
  const result = openJournalOrRescue(path, now);
  openedJournal = result.journal;
  return result;
}

function asideRow() {
  const database = new DatabaseSync(path);
  const rows = database.prepare('SELECT job_id, kind, content FROM unreadable ORDER BY seq').all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

const stateOf = (journal: Journal, id: string) => journal.events(id).reduce(nextState, firstState);

it('openJournalOrRescue with a sound journal opens it unchanged', () => {
  write({ a: toUploading });
  const { journal, damage } = open();
  expect(damage).toBeNull();
  expect(journal.events('a')).toEqual(toUploading);
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
});

it('openJournalOrRescue with unreadable rows: marks their job as failed and continues all others', () => {
  write({ broken: toUploading, other: toUploading, done: toComplete });
  alter(`UPDATE events SET event = '{"kind":"scanned"}' WHERE job_id = 'broken' AND event LIKE '%scanned%'`);

  const { journal, damage, unreadable: unreadableRows } = open();

  expect(damage).toBeNull();
  expect(unreadableRows.jobs).toEqual(['broken']);
  expect(stateOf(journal, 'broken')).toMatchObject({
    kind: 'failed',
    error: { code: 'job-unreadable', subject: expect.stringContaining('broken') },
  });
  expect(stateOf(journal, 'other')).toMatchObject({ kind: 'uploading', asset: { id: 42 } });
  expect(stateOf(journal, 'done').kind).toBe('complete');
  expect(asideRow()).toEqual([{ job_id: 'broken', kind: 'event', content: '{"kind":"scanned"}' }]);
  journal.close();
  openedJournal = null;
  expect(open().unreadable.jobs).toEqual([]);
});

it('openJournalOrRescue with unreadable rows: continues a job whose bytes are all in storage', () => {
  write({ tiling: toComplete.slice(0, 5) });
  alter(`INSERT INTO events (job_id, event) VALUES ('tiling', 'no JSON')`);
  const { journal, unreadable: unreadableRows } = open();
  expect(unreadableRows.jobs).toEqual(['tiling']);
  expect(stateOf(journal, 'tiling')).toMatchObject({ kind: 'tiling', asset: { id: 42 } });
});

it('openJournalOrRescue with unreadable rows: drops and names a job whose own row can’t be read, and stores its content aside', () => {
  write({ broken: toUploading, other: toUploading });
  alter(`UPDATE jobs SET body = '{' WHERE id = 'broken'`);
  const { journal, damage, unreadable: unreadableRows } = open();
  expect(damage).toBeNull();
  expect(unreadableRows.jobs).toEqual(['broken']);
  expect(journal.jobs().map(({ id }) => id)).toEqual(['other']);
  expect(asideRow()).toMatchObject([{ job_id: 'broken', kind: 'job' }]);
  while (journal.clearRemoved());
  expect(journal.events('broken')).toEqual(toUploading);
});

it('openJournalOrRescue with unreadable rows: skips and keeps events of a later version', () => {
  write({ a: toUploading });
  alter(`INSERT INTO events (job_id, event) VALUES ('a', '{"kind":"teleported","at":9,"to":"Mars"}')`);
  const { journal, damage, unreadable: unreadableRows } = open();
  expect(damage).toBeNull();
  expect(unreadableRows).toEqual({ jobs: [], laterKinds: ['teleported'] });
  expect(journal.events('a')).toEqual(toUploading);
  expect(stateOf(journal, 'a').kind).toBe('uploading');
  journal.close();
  openedJournal = null;
  expect(open().unreadable.laterKinds).toEqual(['teleported']);
});

it('openJournalOrRescue with a damaged journal: sets a file that is no database aside and begins a new one', () => {
  const words = 'this is not a database, but it is long enough to be looked at'.repeat(100);
  writeFileSync(path, words);
  writeFileSync(`${path}-wal`, 'stale');

  const { journal, damage } = open();

  expect(damage).toMatchObject({ code: 'journal-damaged', message: expect.stringContaining(asideName) });
  expect(readFileSync(join(folder, asideName), 'utf8')).toBe(words);
  expect(journal.jobs()).toEqual([]);
  journal.addJob(jobRecord('a'));
});

it('openJournalOrRescue with a damaged journal: keeps earlier damaged journals when it sets another aside', () => {
  for (const text of ['first '.repeat(200), 'second '.repeat(200)]) {
    writeFileSync(path, text);
    open().journal.close();
    openedJournal = null;
  }
  const keptFiles = readdirSync(folder).filter((name) => /damaged.*\.db$/.test(name));
  expect(keptFiles.sort()).toEqual([asideName.replace('.db', '-2.db'), asideName]);
});

it('openJournalOrRescue with a damaged journal: rescues ended jobs unchanged, continues uploaded ones and fails the others', () => {
  write({
    done: toComplete,
    uploading: toUploading,
    paused: [...toUploading, { kind: 'paused', at: 8 }],
    queued: [],
    completing: toComplete.slice(0, 4),
    tiling: toComplete.slice(0, 5),
  });
  alter(someDamage);

  const { journal, damage } = open();

  expect(damage?.code).toBe('journal-damaged');
  expect(journal.jobs().map(({ id }) => id)).toEqual(
    'done uploading paused queued completing tiling'.split(' '),
  );
  expect(stateOf(journal, 'done').kind).toBe('complete');
  // These need only their assets to continue.
  expect(stateOf(journal, 'completing')).toMatchObject({ kind: 'completing', asset: { id: 42, onComplete } });
  expect(stateOf(journal, 'tiling')).toMatchObject({ kind: 'tiling', asset: { id: 42 } });
  for (const id of ['uploading', 'paused', 'queued']) {
    expect(stateOf(journal, id)).toMatchObject({ kind: 'failed', error: { code: 'journal-damaged' } });
  }
  expect(stateOf(journal, 'uploading')).toMatchObject({ was: { asset: { id: 42 } } });
});

it('openJournalOrRescue with a damaged journal keeps removed jobs removed', () => {
  write({ gone: toComplete, stays: toComplete });
  alter(`UPDATE jobs SET removed = 1 WHERE id = 'gone'; ${someDamage}`);

  expect(
    open()
      .journal.jobs()
      .map(({ id }) => id),
  ).toEqual(['stays']);
});

it('openJournalOrRescue with a damaged journal: rescues the rows before and after a bad page', () => {
  const jobs = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`job-${index}`, toComplete]));
  write(jobs);
  spoilPageWith('"kind":"tiled"', ['job-0{', 'job-299{']);

  const { journal, damage } = open();

  expect(damage?.code).toBe('journal-damaged');
  const kinds = Map.groupBy(journal.jobs(), ({ id }) => stateOf(journal, id).kind);
  expect(journal.jobs()).toHaveLength(400);
  expect(stateOf(journal, 'job-0').kind).toBe('complete');
  expect(stateOf(journal, 'job-399').kind).toBe('complete');
  expect(kinds.get('complete')?.length).toBeGreaterThan(250);
  // A job without its last events continues from its asset's status.
  const knownStatuses = ['complete', 'completing', 'tiling', 'failed'];
  expect([...kinds.keys()].every((kind) => knownStatuses.includes(kind))).toBe(true);
});

it('openJournalOrRescue with a damaged journal: detects a damaged page that holds only files', () => {
  write({ a: toUploading });
  const journal = openJournal(path);
  const file = (index: number) => ({
    path: `/data/${index}`,
    key: `key-of-${index}`,
    size: 1,
    mtimeMs: 1,
    plan: { partSize: 8, partCount: 1 },
  });
  journal.addFiles(
    'a',
    Array.from({ length: 2000 }, (_, index) => file(index)),
  );
  journal.close();
  spoilPageWith('key-of-');

  const { journal: newJournal, damage } = open();

  expect(damage?.code).toBe('journal-damaged');
  expect(stateOf(newJournal, 'a').kind).toBe('failed');
});

it('openJournalOrRescue with a damaged journal produces a sound journal', () => {
  write({ a: toUploading });
  alter(someDamage);
  open().journal.close();
  openedJournal = null;

  expect(open().damage).toBeNull();
});

describe('the ledger of watched folders in openJournalOrRescue', () => {
  const inserts = (count: number) => `
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO ledger (rule_id, path, identity, newest_ms, state, taken_at, error, retries, restarts, files, bytes)
      SELECT 'rule', 'source-' || i, 'identity-' || i, 1, 'complete', 2, NULL, 0, 0, 1, 1 FROM n;
    INSERT INTO taken_so_far VALUES ('rule', ${count}, 5);
    INSERT INTO activity (rule_id, at, text, said) VALUES ('rule', 1, 'began', '[]');
    INSERT INTO receipts (rule_id, job_id, ended_at, receipt) VALUES ('rule', 'job', 1, '{}')`;

  function countAll(database: DatabaseSync) {
    return ['ledger', 'taken_so_far', 'activity', 'receipts'].map(
      (table) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n,
    );
  }

  it('the ledger of watched folders in openJournalOrRescue is whole in a sound journal, in the same database', () => {
    write({});
    alter(inserts(3));
    const { database, ledgerIsWhole } = open();
    expect(ledgerIsWhole).toBe(true);
    expect(countAll(database)).toEqual([3, 1, 1, 1]);
  });

  it('the ledger of watched folders in openJournalOrRescue survives damage to jobs', () => {
    write({ a: toUploading });
    alter(`${inserts(300)}; ${otherDamage}`);
    const { database, damage, ledgerIsWhole } = open();
    expect(damage?.code).toBe('journal-damaged');
    expect(ledgerIsWhole).toBe(true);
    expect(countAll(database)).toEqual([300, 1, 1, 1]);
    expect(database.prepare("SELECT * FROM taken_so_far WHERE rule_id = 'rule'").get()).toMatchObject({
      sources: 300,
      last_at: 5,
    });
  });

  it('the ledger of watched folders in openJournalOrRescue is not whole after a damaged page, but keeps its other rows', () => {
    write({});
    alter(inserts(3_000));
    spoilPageWith('source-2500identity-2500');
    const { database, ledgerIsWhole } = open();
    expect(ledgerIsWhole).toBe(false);
    const [rows] = countAll(database);
    expect(rows).toBeGreaterThan(2_000);
    expect(rows).toBeLessThan(3_000);
  });

  it('the ledger of watched folders in openJournalOrRescue is not whole when rows make no sense', () => {
    write({});
    alter(
      `${inserts(3)}; PRAGMA ignore_check_constraints = 1; UPDATE ledger SET state = 'odd' WHERE seq = 2`,
    );
    const { database, damage, ledgerIsWhole } = open();
    expect(damage?.code).toBe('journal-damaged');
    expect(ledgerIsWhole).toBe(false);
    expect(countAll(database)[0]).toBe(2);
  });

  it('the ledger of watched folders in openJournalOrRescue is lost with an unreadable journal', () => {
    writeFileSync(path, Buffer.alloc(20_000, 0x5a));
    expect(open().ledgerIsWhole).toBe(false);
  });

  it('the ledger of watched folders in openJournalOrRescue is migrated with all jobs from a development version that names its tables differently', () => {
    write({ a: toComplete, b: toUploading });
    alter(`${inserts(3)}; PRAGMA user_version = 28`);
    const { journal, database, damage, ledgerIsWhole } = open();
    expect(damage).toMatchObject({ code: 'journal-damaged', subject: join(folder, asideName) });
    expect(journal.events('a')).toEqual(toComplete);
    expect(stateOf(journal, 'b').kind).toBe('failed');
    expect(ledgerIsWhole).toBe(true);
    expect(countAll(database)[0]).toBe(3);
    expect(readdirSync(folder)).toContain(asideName);
  });
});

it('openJournalOrRescue with a missing table reports damage', () => {
  write({ a: toComplete });
  alter('DROP TABLE events');
  const { journal, damage } = open();
  expect(damage?.code).toBe('journal-damaged');
  expect(stateOf(journal, 'a').kind).toBe('failed');
});

it('openJournalOrRescue with a journal it can’t open: leaves a journal of a later version in place', () => {
  write({ a: toUploading });
  alter('PRAGMA user_version = 99; PRAGMA journal_mode = DELETE');
  const previous = readFileSync(path);
  expect(() => open()).toThrow(expect.objectContaining({ code: 'journal-newer' }));
  expect(errorAdvice({ code: 'journal-newer' })).toContain('nothing is lost');
  expect(readFileSync(path).equals(previous)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
});

it('openJournalOrRescue with a journal it can’t open: lets one process hold a journal and names the holder', () => {
  const firstOpened = open();
  expect(() => openJournalOrRescue(path, now + 60_000)).toThrow(
    expect.objectContaining({
      code: 'journal-held',
      message: expect.stringMatching(
        new RegExp(`process ${process.pid} on ${hostname()}, since .*\\d\\d:\\d\\d`),
      ),
    }),
  );
  // Reading it doesn't disturb the holder.
  expect(openJournal(path).jobs()).toEqual([]);
  firstOpened.journal.close();
  openedJournal = null;
  expect(open().damage).toBeNull();
});

it('openJournalOrRescue with a journal it can’t open: throws when its folder is missing', () => {
  path = join(folder, 'nowhere', 'journal.db');
  expect(() => open()).toThrow(expect.objectContaining({ code: 'journal-unusable' }));
});

describe('a rescue of watching and alerts', () => {
  /** Tables of jobs have their own rescue; speeds and pending aborts are measured or found again. */
  const jobTables = new Set([
    ...'jobs events plans folders files file_contents parts speeds unreadable owed_aborts'.split(' '),
    ...'job_assets sqlite_sequence'.split(' '),
  ]);
  const tablesOf = (database: DatabaseSync) =>
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !jobTables.has(name));
  /** Inserts a valid row into every table. */
  const fillTables = (database: DatabaseSync) => {
    for (const table of tablesOf(database)) {
      const columns = database.prepare(`PRAGMA table_info(${table})`).all();
      const sample = ({ name, type }: (typeof columns)[number]) =>
        name === 'state' ? "'complete'" : type === 'TEXT' ? "'{}'" : '1';
      database.exec(`INSERT INTO ${table} VALUES (${columns.map(sample).join(', ')})`);
    }
  };

  it('a rescue of watching and alerts copies each table', () => {
    write({});
    const databaseBefore = new DatabaseSync(path);
    fillTables(databaseBefore);
    const tables = tablesOf(databaseBefore);
    databaseBefore.close();
    alter(otherDamage);
    expect(open().damage).not.toBeNull();
    const soundDatabase = new DatabaseSync(path);
    const lostTables = tables.filter(
      (table) => soundDatabase.prepare(`SELECT * FROM ${table}`).all().length === 0,
    );
    soundDatabase.close();
    expect(lostTables).toEqual([]);
  });
});
