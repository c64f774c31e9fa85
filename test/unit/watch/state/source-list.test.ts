import { expect, it } from 'vitest';
import { SourceList } from '../../../../main/watch/state/source-list.ts';
import type { HoldWhy } from '../../../../shared/watch.ts';

function listOf(reasons: readonly HoldWhy[]): SourceList {
  const list = new SourceList();
  for (const [index, why] of reasons.entries())
    list.set({
      ...{ path: `${index}`, startedAt: 0, source: null, error: null },
      state: { kind: 'held', why, skipState: 'done' },
    });
  return list;
}

it('SourceList.question covers changed sources once there are more than three', () => {
  expect(listOf(['changed', 'changed', 'changed']).question).toBeNull();
  expect(listOf(['changed', 'changed', 'changed', 'changed']).question).toEqual({
    why: 'many-changed',
    count: 4,
  });
});

it('SourceList.question leaves few changed sources out of another question', () => {
  expect(listOf(['changed', 'restored', 'restored', 'restored']).question).toEqual({
    why: 'restored',
    count: 3,
  });
});

it('SourceList.question ignores sources that are held for other reasons', () => {
  expect(listOf(['findings', 'cannot-compare', 'kind-undecided']).question).toBeNull();
});
