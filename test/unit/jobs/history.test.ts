import { describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { durationWords, historyOf, sizeWords } from '../../../main/jobs/history.ts';

describe('historyOf', () => {
  it('tells a job’s life in words', () => {
    const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };
    const troubled = toErrorRecord(new TileliftError('service-unavailable', { subject: 'api.test' }));
    const entries = historyOf([
      { kind: 'started', at: 0 },
      { kind: 'scanned', at: 1, files: 36, bytes: 2_100_000_000, parts: 300 },
      { kind: 'create-requested', at: 2 },
      { kind: 'orphan-left', at: 3, assetId: 1041 },
      { kind: 'asset-created', at: 1000, assetId: 1042, credentialsEndAt: 9, onComplete },
      { kind: 'upload-finished', at: 191_000 },
      { kind: 'completion-accepted', at: 192_000 },
      { kind: 'troubled', at: 193_000, error: troubled },
      { kind: 'tiled', at: 200_000, status: 'COMPLETE' },
    ]);
    expect(entries.map((entry) => entry.text)).toEqual([
      'Started',
      'Found 36 files, 2.1 GB',
      'Asset 1041 was left behind without files: the service made it, but its answer was lost',
      'Asset 1042 created',
      'Uploaded 36 files, 2.1 GB in 3 min 10 s',
      'Tiling began',
      'The service at api.test is not working at the moment. Trying again.',
      'Complete',
    ]);
    expect(entries[1]?.at).toBe(1);
  });

  it('adds what the remote side said', () => {
    const error = toErrorRecord(new TileliftError('data-error', { remote: { message: 'No CRS in a.gml' } }));
    expect(historyOf([{ kind: 'tiling-failed', at: 0, status: 'DATA_ERROR', error }])[0]?.text).toBe(
      'The service found a problem in the data. (No CRS in a.gml)',
    );
  });
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [2_149_000_000, '2.1 GB'],
  [123_456_789, '123 MB'],
  [999_999_999, '1.0 GB'],
])('%d bytes are %s', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

it.each([
  [400, '0 s'],
  [59_000, '59 s'],
  [190_000, '3 min 10 s'],
  [3_720_000, '1 h 2 min'],
])('%d ms are %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
