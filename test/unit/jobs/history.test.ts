import { afterEach, describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { historyOf } from '../../../main/jobs/history.ts';
import { speak } from '../../../strings/say.ts';

afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

/** As a person reads them, whatever the spaces. */
const texts = (...events: Parameters<typeof historyOf>) =>
  historyOf(...events).map(({ text }) => text.replaceAll('\u00a0', ' '));

describe('historyOf', () => {
  it('tells a job’s life in words', () => {
    const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };
    const troubled = toErrorRecord(new TileliftError('service-unavailable', { subject: 'api.test' }));
    const events: Parameters<typeof historyOf>[0] = [
      { kind: 'started', at: 0 },
      { kind: 'scanned', at: 1, files: 36, bytes: 2_100_000_000, parts: 300 },
      { kind: 'create-requested', at: 2 },
      { kind: 'orphan-left', at: 3, assetId: 1041 },
      { kind: 'asset-created', at: 1000, assetId: 1042, credentialsEndAt: 9, onComplete },
      { kind: 'upload-finished', at: 191_000 },
      { kind: 'completion-accepted', at: 192_000 },
      { kind: 'troubled', at: 193_000, error: troubled },
      { kind: 'tiled', at: 200_000, status: 'COMPLETE' },
    ];
    expect(texts(events)).toEqual([
      'Started',
      'Found 36 files, 2.1 GB',
      'Asset 1041 was left behind without files: the service made it, but its answer was lost',
      'Asset 1042 created',
      'Uploaded 36 files, 2.1 GB in 3 min 10 s',
      'Tiling began',
      'The service at api.test is not working at the moment. Trying again.',
      'Complete',
    ]);
    expect(historyOf(events)[1]?.at).toBe(1);
  });

  it('adds what the remote side said', () => {
    const error = toErrorRecord(new TileliftError('data-error', { remote: { message: 'No CRS in a.gml' } }));
    expect(historyOf([{ kind: 'tiling-failed', at: 0, status: 'DATA_ERROR', error }])[0]?.text).toBe(
      'The service found a problem in the data. (No CRS in a.gml)',
    );
  });

  it('is told in the language that is spoken now, whatever was spoken when it happened', () => {
    const error = toErrorRecord(new TileliftError('source-changed', { subject: 'a.tif' }));
    speak({ language: 'de', locale: 'de-DE' });
    expect(
      texts([
        { kind: 'scanned', at: 0, files: 1, bytes: 2_100_000_000, parts: 300 },
        { kind: 'failed', at: 1, error },
      ]),
    ).toEqual(['1 Datei, 2,1 GB gefunden', 'a.tif hat sich geändert, bevor alles hochgeladen war.']);
  });
});
