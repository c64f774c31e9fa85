import { expect, it } from 'vitest';
import { createListeners } from '../../main/listeners.ts';

it('createListeners() calls listeners in order until they unsubscribe or all are removed', () => {
  const reports: string[] = [];
  const listeners = createListeners<[word: string]>();
  const unsubscribe = listeners.add((word) => reports.push(`a ${word}`));
  listeners.add((word) => reports.push(`b ${word}`));
  listeners.emit('1');
  unsubscribe();
  listeners.emit('2');
  listeners.clear();
  listeners.emit('3');
  expect(reports).toEqual(['a 1', 'b 1', 'b 2']);
});
