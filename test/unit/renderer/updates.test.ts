import { afterEach, describe, expect, it } from 'vitest';
import type { UpdateStateView } from '../../../preload/contract.ts';
import { speak } from '../../../renderer/say.ts';
import { updateAction, updateSentence } from '../../../renderer/words/updates.ts';

const at = new Date(2026, 10, 20, 14, 2).getTime();
const error = { code: 'update-unreachable' as const, retryable: true };

const cases: readonly (readonly [UpdateStateView, string, ReturnType<typeof updateAction>])[] = [
  [{ kind: 'off', by: 'build' }, 'Not available in this build.', null],
  [{ kind: 'off', by: 'person' }, 'Tilelift does not check for updates.', null],
  [{ kind: 'idle', checkedAt: null }, 'Not checked yet.', 'checkNow'],
  [{ kind: 'idle', checkedAt: at }, 'Tilelift is up to date. Last checked at 14:02.', 'checkNow'],
  [{ kind: 'checking' }, 'Checking for updates…', null],
  [
    { kind: 'downloading', version: '0.2.0', percent: 41 },
    'Downloading Tilelift 0.2.0: 41\u00a0%. Uploads take priority.',
    null,
  ],
  [
    { kind: 'ready', version: '0.2.0', canRestart: true },
    'Tilelift 0.2.0 is ready and will be installed when you quit.',
    'restart',
  ],
  [
    { kind: 'ready', version: '0.2.0', canRestart: false },
    'Tilelift 0.2.0 is ready and will be installed when you quit while no upload is running.',
    null,
  ],
  [{ kind: 'failed', error }, 'Tilelift could not check for or download updates.', 'checkNow'],
];

describe('updateSentence()', () => {
  afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

  it.each(cases)(
    'updateSentence() describes the state and offers an action: %o',
    (state, sentence, action) => {
      expect(updateSentence(state, at + 60_000)).toBe(sentence);
      expect(updateAction(state)).toBe(action);
    },
  );

  it('updateSentence() offers the download page for a manual update if there is one', () => {
    const newerRelease = { kind: 'by-hand', version: '0.2.0' } as const;
    expect(updateSentence({ ...newerRelease, hasPage: false }, at)).toContain('the way it was installed');
    expect(updateAction({ ...newerRelease, hasPage: true })).toBe('openPage');
    expect(updateAction({ ...newerRelease, hasPage: false })).toBe('checkNow');
  });
});
