import { afterEach, describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { historyOf } from '../../../main/jobs/history.ts';
import { speak } from '../../../renderer/say.ts';
import { saidLines } from '../../said.ts';

afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

const texts = (...events: Parameters<typeof historyOf>) =>
  saidLines(historyOf(...events)).map(({ text }) => text.replaceAll('\u00a0', ' '));

const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };

describe('historyOf', () => {
  it('historyOf describes each event of a job in words', () => {
    const troubledError = toErrorRecord(new TileliftError('service-unavailable', { subject: 'api.test' }));
    const events: Parameters<typeof historyOf>[0] = [
      { kind: 'started', at: 0 },
      { kind: 'scanned', at: 1, files: 36, bytes: 2_100_000_000, parts: 300 },
      { kind: 'create-requested', at: 2 },
      { kind: 'orphan-left', at: 3, assetId: 1041 },
      { kind: 'asset-created', at: 1000, assetId: 1042, credentialsEndAt: 9, onComplete },
      { kind: 'upload-finished', at: 191_000 },
      { kind: 'completion-accepted', at: 192_000 },
      { kind: 'troubled', at: 193_000, error: troubledError },
      { kind: 'tiled', at: 200_000, status: 'COMPLETE' },
    ];
    expect(texts(events)).toEqual([
      'Started',
      'Found 36 files, 2.1 GB',
      'Asset 1041 was left behind without files: the service created it, but its response was lost',
      'Asset 1042 created',
      'Uploaded 36 files, 2.1 GB in 3 min 10 s',
      'Tiling started',
      'The service at api.test is currently unavailable. Trying again.',
      'Complete, tiled in under 20 s',
    ]);
    expect(historyOf(events)[1]?.at).toBe(1);
  });

  it.each(['paused', 'taken-up', 'troubled'] as const)(
    'historyOf omits the duration of an upload that was %s',
    (kind) => {
      const troubledError = toErrorRecord(new TileliftError('service-unavailable', { subject: 'api.test' }));
      expect(
        texts([
          { kind: 'asset-created', at: 0, assetId: 1, credentialsEndAt: 9, onComplete },
          kind === 'troubled' ? { kind, at: 400, error: troubledError } : { kind, at: 400 },
          { kind: 'upload-finished', at: 68_000 },
        ]).at(-1),
      ).toBe('Uploaded everything');
    },
  );

  it('historyOf omits the duration of steps that took no time', () => {
    expect(
      texts([
        { kind: 'asset-created', at: 0, assetId: 1, credentialsEndAt: 9, onComplete },
        { kind: 'upload-finished', at: 400 },
      ])[1],
    ).toBe('Uploaded everything in under 1 s');
  });

  it('historyOf describes tiling with the service’s words where it sends some', () => {
    expect(
      texts([
        { kind: 'completion-accepted', at: 0 },
        { kind: 'asset-status', at: 1, status: 'NOT_STARTED', percent: 0 },
        { kind: 'asset-status', at: 2, status: 'IN_PROGRESS' },
        { kind: 'asset-status', at: 3, status: 'IN_PROGRESS', percent: 26.9, message: 'Meshing' },
        { kind: 'asset-status', at: 4, status: 'MOON_PHASE' },
        { kind: 'asset-status', at: 5, status: 'MOON_PHASE', percent: 40 },
        { kind: 'tiled', at: 240_000, status: 'COMPLETE' },
      ]),
    ).toEqual([
      'Tiling started',
      'Waiting to be tiled',
      'Tiling',
      'Tiling, 26 % · Meshing',
      'Service status: MOON_PHASE',
      'Service status: MOON_PHASE, 40 %',
      'Complete, tiled in 4 min',
    ]);
  });

  it('historyOf adds the remote message', () => {
    const error = toErrorRecord(new TileliftError('data-error', { remote: { message: 'No CRS in a.gml' } }));
    expect(texts([{ kind: 'tiling-failed', at: 0, status: 'DATA_ERROR', error }])[0]).toBe(
      'The service found a problem in the data. (No CRS in a.gml)',
    );
  });

  it('historyOf uses the current language, whatever language was active when it happened', () => {
    const error = toErrorRecord(new TileliftError('source-changed', { subject: 'a.tif' }));
    speak({ language: 'de', locale: 'de-DE' });
    expect(
      texts([
        { kind: 'scanned', at: 0, files: 1, bytes: 2_100_000_000, parts: 300 },
        { kind: 'failed', at: 1, error },
      ]),
    ).toEqual(['1 Datei, 2,1 GB gefunden', 'a.tif hat sich während des Uploads geändert.']);
  });

  const service = toErrorRecord(new TileliftError('service-unavailable', { subject: 'api.test' }));

  it('historyOf shows a disruption as one line, with its duration once it ends', () => {
    const message = 'The service at api.test is currently unavailable.';
    expect(
      texts([
        { kind: 'troubled', at: 1_000, error: service },
        { kind: 'resent', at: 2_000, path: 'a', reason: 'parts-missing' },
        { kind: 'recovered', at: 400_000, endedAt: 241_000 },
        { kind: 'troubled', at: 500_000, error: service },
      ]),
    ).toEqual([
      `${message} Resumed after 4 min.`,
      'Storage is missing parts of a that it had confirmed: those are resent',
      `${message} Trying again.`,
    ]);
  });

  it('historyOf reads each event equally often, however many there are', () => {
    const looksAt = (count: number) => {
      let checks = 0;
      const events = Array.from({ length: count }, (_, at) => {
        const event = { kind: 'resent', at, path: `${at}`, reason: 'parts-missing' } as const;
        return new Proxy(event, {
          get: (target, name) => {
            checks += 1;
            return Reflect.get(target, name);
          },
        });
      });
      expect(historyOf([...events, { kind: 'upload-finished', at: count }])).toHaveLength(count + 1);
      return checks;
    };
    const [fewChecks, moreChecks, mostChecks] = [looksAt(1_000), looksAt(2_000), looksAt(3_000)];
    expect(fewChecks).toBeGreaterThanOrEqual(1_000);
    expect(mostChecks - moreChecks).toBe(moreChecks - fewChecks);
  });
});
