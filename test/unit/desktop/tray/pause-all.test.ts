import { describe, expect, it } from 'vitest';
import { createPauseAll } from '../../../../main/desktop/tray/pause-all.ts';

/** Things by their ids; those in capitals are on. */
function things(...ids: string[]) {
  const on = new Map(ids.map((id) => [id.toLowerCase(), id !== id.toLowerCase()]));
  return {
    list: () => [...on].map(([id, isOn]) => ({ id, on: isOn })),
    setOn: (id: string, wanted: boolean) => {
      on.set(id, wanted);
    },
    now: () => [...on].map(([id, isOn]) => (isOn ? id.toUpperCase() : id)).join(''),
  };
}

describe('all uploads, or all watched folders, at once', () => {
  it('are paused, and of them those taken up again that were not paused before', () => {
    const some = things('A', 'b', 'C');
    const all = createPauseAll(some);
    all.pause();
    expect(some.now()).toBe('abc');
    all.resume();
    expect(some.now()).toBe('AbC');
  });

  it('are all taken up where it is not known who paused them', () => {
    const some = things('a', 'b');
    createPauseAll(some).resume();
    expect(some.now()).toBe('AB');
  });

  it('are all taken up where those that were paused here are on again by other means', () => {
    const some = things('A', 'b');
    const all = createPauseAll(some);
    all.pause();
    some.setOn('a', true);
    all.resume();
    expect(some.now()).toBe('AB');
  });
});
