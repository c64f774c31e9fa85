import { expect, it } from 'vitest';
import { createListeners } from '../../main/listeners.ts';

it('tells all that listen, in their order, until they unsubscribe or nobody is to be told any more', () => {
  const told: string[] = [];
  const listeners = createListeners<[word: string]>();
  const unsubscribe = listeners.add((word) => told.push(`a ${word}`));
  listeners.add((word) => told.push(`b ${word}`));
  listeners.emit('1');
  unsubscribe();
  listeners.emit('2');
  listeners.clear();
  listeners.emit('3');
  expect(told).toEqual(['a 1', 'b 1', 'b 2']);
});
