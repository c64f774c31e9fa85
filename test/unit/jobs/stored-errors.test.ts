import { expect, it } from 'vitest';
import { eventRow } from '../../../main/jobs/journal/journal-rows.ts';
import { errorRecord, saidRecord } from '../../../main/jobs/stored-errors.ts';
import { errorMessage } from '../../../renderer/say.ts';

const storedSentence = { key: 'history.amount', values: { files: 3, size: { bytes: 1_000 } } };

it('a stored sentence parses to the same record', () => {
  expect(saidRecord.parse(storedSentence)).toEqual(storedSentence);
  expect(saidRecord.parse('plain words')).toBe('plain words');
});

it.each([
  { why: 'has gone from the catalogue', said: { key: 'history.gone' } },
  { why: 'wants a value that was not kept', said: { key: 'history.amount', values: { files: 3 } } },
  {
    why: 'is made of one that has gone',
    said: { key: 'history.scanned', values: { amount: { key: 'gone' } } },
  },
])('a stored sentence becomes a general sentence when it $why', ({ said }) => {
  expect(saidRecord.safeParse(said).success).toBe(false);
  const general = errorMessage({ code: 'forecast-too-long' });
  for (const subject of [said, { names: [said] }]) {
    const error = errorRecord.parse({ code: 'forecast-too-long', subject, retryable: true });
    expect(errorMessage(error)).toBe(general);
  }
});

it.each([{ bytes: 3 }, { key: 3 }, { key: 'history.amount', values: 'three' }, 3, null])(
  'a stored sentence rejects %j',
  (value) => expect(saidRecord.safeParse(value).success).toBe(false),
);

it('a stored sentence accepts an error without a subject', () => {
  const error = { code: 'data-error', retryable: false };
  expect(errorRecord.parse(error)).toEqual(error);
});

it('a stored sentence leaves the event of a job readable when its words are gone', () => {
  const error = { code: 'forecast-too-long', subject: { key: 'history.gone' }, retryable: true };
  const event = JSON.stringify({ kind: 'failed', at: 1, error });
  expect(eventRow.parse({ event })).toMatchObject({ kind: 'failed', error: { code: 'forecast-too-long' } });
});
