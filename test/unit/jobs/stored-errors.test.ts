import { describe, expect, it } from 'vitest';
import { eventRow } from '../../../main/jobs/journal/journal-rows.ts';
import { errorRecord, saidRecord } from '../../../main/jobs/stored-errors.ts';
import { errorMessage } from '../../../renderer/say.ts';

const kept = { key: 'history.amount', values: { files: 3, size: { bytes: 1_000 } } };

describe('a sentence that was written down', () => {
  it('is read as it was', () => {
    expect(saidRecord.parse(kept)).toEqual(kept);
    expect(saidRecord.parse('plain words')).toBe('plain words');
  });

  it.each([
    { why: 'has gone from the catalogue', said: { key: 'history.gone' } },
    { why: 'wants a value that was not kept', said: { key: 'history.amount', values: { files: 3 } } },
    {
      why: 'is made of one that has gone',
      said: { key: 'history.scanned', values: { amount: { key: 'gone' } } },
    },
  ])('is refused when it $why, and an error about it is read and said in general words', ({ said }) => {
    expect(saidRecord.safeParse(said).success).toBe(false);
    const general = errorMessage({ code: 'forecast-too-long' });
    for (const subject of [said, { names: [said] }]) {
      const error = errorRecord.parse({ code: 'forecast-too-long', subject, retryable: true });
      expect(errorMessage(error)).toBe(general);
    }
  });

  it.each([{ bytes: 3 }, { key: 3 }, { key: 'history.amount', values: 'three' }, 3, null])(
    'is not %j',
    (value) => {
      expect(saidRecord.safeParse(value).success).toBe(false);
    },
  );

  it('leaves an error without a subject as it is', () => {
    const error = { code: 'data-error', retryable: false };
    expect(errorRecord.parse(error)).toEqual(error);
  });

  it('does not make the event of a job unreadable', () => {
    const error = { code: 'forecast-too-long', subject: { key: 'history.gone' }, retryable: true };
    const event = JSON.stringify({ kind: 'failed', at: 1, error });
    expect(eventRow.parse({ event })).toMatchObject({ kind: 'failed', error: { code: 'forecast-too-long' } });
  });
});
