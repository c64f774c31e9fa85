import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../../../../main/errors.ts';
import { openDatabase } from '../../../../../main/jobs/journal/database.ts';
import { createJournal } from '../../../../../main/jobs/journal/journal.ts';
import type { LedgerEntry } from '../../../../../main/watch/model/model.ts';
import { decide } from '../../../../../main/watch/state/decide.ts';
import { allowsAnother, failureClassOf } from '../../../../../main/watch/state/ledger/asset-rules.ts';
import { createLedger } from '../../../../../main/watch/state/ledger/ledger.ts';
import { foundSource, requested, rowOf } from '../../found-sources.ts';

const errorOf = (code: ErrorCode) => toErrorRecord(new TileliftError(code));

describe('allowsAnother()', () => {
  const there = { uploadedAt: 5 };

  it.each([
    ['allows an asset if none was created', { state: 'skipped' }, true],
    ['refuses another asset while its job runs', { state: 'taken' }, false],
    ['refuses another asset if the first is complete', { state: 'complete', ...there }, false],
    ['refuses another asset if the first is complete without an upload time', { state: 'complete' }, false],
    ['allows another asset after an incomplete upload', { state: 'waits-for-retry' }, true],
    [
      'refuses another asset if the job failed after the upload',
      { state: 'waits-for-retry', ...there, error: errorOf('request-refused') },
      false,
    ],
    ['refuses another asset if cancelled after the upload', { state: 'waits-for-person', ...there }, false],
    [
      'allows another asset after a data error',
      { state: 'waits-for-change', ...there, error: errorOf('data-error') },
      true,
    ],
    [
      'allows another asset if the first was deleted',
      { state: 'waits-for-person', ...there, error: errorOf('asset-not-found') },
      true,
    ],
    [
      'refuses a third asset if the second is incomplete too',
      { state: 'waits-for-retry', assetId: 7, restarts: 1 },
      false,
    ],
    ['allows an asset the user requests', { state: 'waits-for-retry', ...there, standing: requested }, true],
  ] as const)('%s', (_, row, allowed) => {
    expect(allowsAnother(rowOf(foundSource('a'), row))).toBe(allowed);
  });
});

/** Events of one source; `take` is a caller that takes it without a decision. */
const command = fc.oneof(
  fc
    .constantFrom(
      'look',
      'take',
      'take',
      'take',
      'take',
      'uploaded',
      'want',
      'restart',
      'rename',
      'change',
      'remove' as const,
    )
    .map((kind) => ({ kind })),
  fc
    .constantFrom<ErrorCode>(
      'data-error',
      'asset-not-found',
      'request-refused',
      'certificate-untrusted',
      'tiling-error',
      'credentials-expired',
      'source-changed',
      'internal',
    )
    .map((code) => ({ kind: 'fail' as const, code })),
  fc.constant({ kind: 'complete' as const }),
);

interface Made {
  content: number;
  uploaded: boolean;
  /** Ended without preventing another asset of the same content. */
  free: boolean;
  ended: boolean;
}

describe('Ledger as a guard', () => {
  it('G2: admits no second asset of the same content in any sequence of events', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tilelift-ledger-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    let runs = 0;
    let admitted = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40, size: 'max' }), (commands) => {
        const path = join(folder, `${runs++}.db`);
        let database = openDatabase(path);
        let journal = createJournal(database, path);
        let ledger = createLedger(database, path);
        let [name, content, time] = ['a', 1, 0];
        const made: Made[] = [];
        // All sources look alike: names, sizes and times don’t reveal their content.
        const source = () => foundSource(name, { identity: 'alike', digest: `marks of ${content}` });
        const read = (row: LedgerEntry) => {
          const job = made[Number(row.jobId?.slice('job-'.length))];
          if (job?.uploaded) ledger.change('rule', row.path, { content: `content ${job.content}` });
          ledger.seeContent('rule', name, source().digest, `content ${content}`);
        };
        const isThere = (asked: string) => asked === name;
        const last = () => made.at(-1);

        const take = (again: boolean) => {
          const id = `job-${made.length}`;
          const job = {
            id,
            accountId: 'me',
            paths: ['/in'],
            createdAt: 1,
            acceptForecast: false,
            body: { name, type: 'TERRAIN', options: { sourceType: 'RASTER_TERRAIN' } },
          } as const;
          try {
            journal.addJob(job, () => ledger.take('rule', source(), id, time, again, isThere));
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: 'watch-already-taken' });
            refused += 1;
            return;
          }
          // This checks the guard independently of its implementation.
          expect(made.filter((one) => one.content === content && !one.free)).toEqual([]);
          made.push({ content, uploaded: false, free: false, ended: false });
          admitted += 1;
        };
        const end = (state: 'complete' | 'waits-for-retry', code: ErrorCode | null) => {
          const [one, row] = [last(), ledger.ofJob(`job-${made.length - 1}`)];
          if (!one || !row || one.ended) return;
          const ownFault = code !== null && (failureClassOf(code) === 'own' || code === 'asset-not-found');
          one.ended = true;
          one.free = state !== 'complete' && (!one.uploaded || ownFault);
          ledger.change('rule', row.path, {
            state,
            error: code && errorOf(code),
            endedAt: time,
            retryAt: time,
          });
        };
        const uploaded = () => {
          const one = last();
          if (!one || one.ended || one.uploaded) return;
          one.uploaded = true;
          journal.append(`job-${made.length - 1}`, { kind: 'upload-finished', at: time });
        };

        for (const one of commands) {
          time += 1;
          const row = ledger.find('rule', name);
          switch (one.kind) {
            case 'look': {
              const sameIdentity = ledger.withIdentity('rule', source().identity);
              const rule = { whenChanged: 'new-asset', unit: { kind: 'entries' } } as const;
              const seen = ledger.contentSeen('rule', name, source().digest);
              const found = { source: source(), entry: row, sameIdentity, content: seen };
              const decision = decide({ ...found, rule, currentTime: time, isThere });
              if (decision.kind === 'compare') for (const one of decision.rows) read(one);
              if (decision.kind === 'renamed') ledger.change('rule', decision.previousPath, { path: name });
              if (decision.kind === 'take') take(decision.isRetry);
              break;
            }
            case 'take':
              take(time % 2 === 0);
              break;
            case 'uploaded':
              uploaded();
              break;
            case 'complete':
              uploaded();
              end('complete', null);
              break;
            case 'fail':
              end('waits-for-retry', one.code);
              break;
            case 'want': {
              // The watch service never retries running or complete sources.
              if (!row || row.state === 'taken' || row.state === 'complete') break;
              ledger.change('rule', row.path, {
                state: 'waits-for-retry',
                retryAt: time,
                standing: requested,
              });
              for (const before of made)
                if (before === made[Number(row.jobId?.slice('job-'.length))]) before.free = true;
              break;
            }
            case 'remove':
              if (last()?.ended) {
                journal.removeJob(`job-${made.length - 1}`);
                while (journal.clearRemoved());
              }
              break;
            case 'restart':
              database.close();
              database = openDatabase(path);
              journal = createJournal(database, path);
              ledger = createLedger(database, path);
              break;
            case 'rename':
              // If another source has that name, this changes its content.
              name = `${name[0]}${time}`;
              break;
            case 'change':
              content += 1;
          }
        }
        database.close();
      }),
      { numRuns: 150 },
    );
    expect(admitted).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  }, 180_000);

  it('reads finished uploads from journal events of any writer', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tilelift-ledger-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'journal.db');
    const database = openDatabase(path);
    onTestFinished(() => database.close());
    const row = (name: string, job: string) =>
      `('rule', '${name}', 'of ${name}', 1, 'taken', '${job}', 2, 0, 0, 1, 1)`;
    database.exec(`
      INSERT INTO jobs (id, account_id, paths, body, created_at) VALUES ('sent', 'me', '[]', '{}', 1), ('sending', 'me', '[]', '{}', 1);
      INSERT INTO ledger (rule_id, path, identity, newest_ms, state, job_id, taken_at, retries, restarts, files, bytes)
        VALUES ${row('a', 'sent')}, ${row('b', 'sending')};
      INSERT INTO events (job_id, event) VALUES ('sent', '{"kind":"started","at":5}'), ('sent', 'no JSON'), ('sending', '{"kind":"started","at":6}')`);
    const ledger = createLedger(database, path);
    const times = () => ['a', 'b'].map((name) => ledger.find('rule', name)?.uploadedAt);
    expect(times()).toEqual([null, null]);
    createJournal(database, path).append('sent', { kind: 'upload-finished', at: 77 });
    expect(times()).toEqual([77, null]);
  });
});
