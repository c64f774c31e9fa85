import { describe, expect, it } from 'vitest';
import { quitQuestion } from '../../../../main/desktop/quit/quit-question.ts';
import { job } from '../stand-ins.ts';

describe('the question before quitting', () => {
  it('counts the uploads that are under way and says what becomes of them', () => {
    expect(quitQuestion([job()])).toEqual({
      message: '1 upload is under way.',
      detail: 'It resumes the next time Tilelift starts.',
    });
    const line = job({ status: 'queued', waitingFor: 'line' });
    expect(quitQuestion([job({ status: 'creating' }), line, job({ status: 'tiling' })])).toEqual({
      message: '2 uploads are under way.',
      detail: 'They resume the next time Tilelift starts.',
    });
  });

  it.each([
    { status: 'tiling' },
    { status: 'paused' },
    { status: 'uploading', waitingFor: 'sign-in' },
    { status: 'creating', waitingFor: 'confirmation' },
  ] as const)('is not asked for %o', (facts) => {
    expect(quitQuestion([job(facts)])).toBeNull();
  });
});
