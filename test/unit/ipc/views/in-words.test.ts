import { afterEach, describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import { inWords } from '../../../../main/ipc/views/in-words.ts';
import { speak } from '../../../../strings/say.ts';

const record = toErrorRecord(new TileliftError('job-unknown'));

describe('what goes to the page', () => {
  afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

  it('has its errors in the language that is spoken, wherever they lie', () => {
    speak({ language: 'de', locale: 'de-DE' });
    const error = expect.objectContaining({ message: 'Diesen Upload gibt es nicht mehr.' });
    expect(
      inWords({
        error: record,
        jobs: [
          { id: 'a', error: null },
          { id: 'b', error: record },
        ],
      }),
    ).toEqual({
      error,
      jobs: [
        { id: 'a', error: null },
        { id: 'b', error },
      ],
    });
  });

  it('is the same thing where it holds no error', () => {
    const view = {
      list: [{ code: 'constructor', message: '', advice: '', retryable: true }],
      at: 1,
      none: null,
    };
    expect(inWords(view)).toBe(view);
    expect(inWords(null)).toBeNull();
    expect(inWords('text')).toBe('text');
  });
});
