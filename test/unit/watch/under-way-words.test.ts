import { expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import { knownSnapshot } from '../../../main/watch/listing.ts';
import type { LedgerEntry } from '../../../main/watch/model/model.ts';
import { sayPhrase } from '../../../renderer/say.ts';
import type { ErrorCode } from '../../../shared/errors.ts';

const whyOf = (code: ErrorCode | null, state: Partial<JobSnapshot> = { waitingFor: 'network' }) => {
  const error = code === null ? null : toErrorRecord(new TileliftError(code, { subject: 's3.test' }));
  const job = { waitingFor: null, status: 'uploading', error, ...state } as JobSnapshot;
  const entry = { ruleId: 'r', path: 'a', files: 1, bytes: 1, takenAt: 1, state: 'taken', error: null };
  return knownSnapshot(entry as unknown as LedgerEntry, job, 2).why.map(sayPhrase);
};

it.each([
  [null, 'Waiting for the network'],
  ['storage-unreachable', 'Waiting for the storage, which isn’t answering'],
  ['service-unreachable', 'Waiting for the service, which isn’t answering'],
  ['proxy-unreachable', 'Waiting for the proxy, which isn’t answering'],
] as const)('names the unreachable party of a waiting source: %s', (code, words) => {
  expect(whyOf(code)).toEqual([words]);
});

it('names the full disk of the journal as the reason of a stopped job', () => {
  expect(whyOf('journal-full', { status: 'tiling' })).toEqual([
    'There is no disk space left for the upload journal at s3.test.',
  ]);
});

it('says why a skipped source has no asset, or whose asset it is', () => {
  const whySkipped = (assetId: number | null) => {
    const entry = { ruleId: 'r', path: 'a', files: 1, bytes: 1, takenAt: 1, state: 'skipped', assetId };
    return knownSnapshot(entry as unknown as LedgerEntry, undefined, 2).why.map(sayPhrase);
  };
  expect(whySkipped(null)).toEqual(['It was in the folder before the rule, or you skipped it.']);
  expect(whySkipped(7)).toEqual(['Another computer has created its asset.']);
});
