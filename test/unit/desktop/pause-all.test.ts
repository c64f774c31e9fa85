import { describe, expect, it } from 'vitest';
import { createPauseAll } from '../../../main/desktop/pause-all.ts';
import { watched } from './stand-ins.ts';

/** Watched folders by their ids; those in capitals are on. */
function folders(...ids: string[]) {
  const on = new Map(ids.map((id) => [id.toLowerCase(), id !== id.toLowerCase()]));
  return {
    rules: () => [...on].map(([id, isOn]) => watched({ id, on: isOn })),
    setOn: (id: string, wanted: boolean) => {
      on.set(id, wanted);
    },
    now: () => [...on].map(([id, isOn]) => (isOn ? id.toUpperCase() : id)).join(''),
  };
}

describe('all watched folders at once', () => {
  it('are paused, and of them those taken up again that were not paused before', () => {
    const watch = folders('A', 'b', 'C');
    const all = createPauseAll(watch);
    all.pause();
    expect(watch.now()).toBe('abc');
    all.resume();
    expect(watch.now()).toBe('AbC');
  });

  it('are all taken up where it is not known who paused them', () => {
    const watch = folders('a', 'b');
    createPauseAll(watch).resume();
    expect(watch.now()).toBe('AB');
  });

  it('are all taken up where those that were paused here are on again by other means', () => {
    const watch = folders('A', 'b');
    const all = createPauseAll(watch);
    all.pause();
    watch.setOn('a', true);
    all.resume();
    expect(watch.now()).toBe('AB');
  });
});
