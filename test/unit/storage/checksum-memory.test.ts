import { expect, it } from 'vitest';
import { ChecksumMemory } from '../../../main/storage/checksum-memory.ts';
import { StorageFacts } from '../../../main/storage/storage-facts.ts';

const day = 24 * 60 * 60_000;
const newFacts = () => new StorageFacts(new SharedArrayBuffer(StorageFacts.bytes));
const compares = () => {
  const facts = newFacts();
  facts.recordEtag(true);
  facts.recordChecksum('part', 'compared');
  return facts;
};
const recalled = (memory: ChecksumMemory, store: string, now: number) => {
  const facts = newFacts();
  memory.recall(store, facts, now);
  return [facts.checksums('part'), facts.checksums('object'), facts.etags];
};
const nothing = ['unknown', 'unknown', 'unknown'];

it('ChecksumMemory remembers for a day what each store compares', () => {
  const memory = new ChecksumMemory();
  memory.note('a', compares(), 0);
  expect(recalled(memory, 'a', day)).toEqual(['compared', 'unknown', 'md5']);
  expect(recalled(memory, 'b', day)).toEqual(nothing);
  expect(recalled(memory, 'a', day + 1)).toEqual(nothing);
});

it.each(['aws', 'other'] as const)(
  'ChecksumMemory remembers whether multipart ETags follow AWS’s formula: %s',
  (kind) => {
    const memory = new ChecksumMemory();
    const facts = newFacts();
    facts.recordComposite(kind);
    memory.note('a', facts, 0);
    const later = newFacts();
    memory.recall('a', later, day);
    expect(later.composites).toBe(kind);
    expect(later.etags).toBe('unknown');
  },
);

it('ChecksumMemory ignores entries after the clock was set back', () => {
  const memory = new ChecksumMemory();
  memory.note('a', compares(), 3 * day);
  expect(recalled(memory, 'a', 0)).toEqual(nothing);
});

it('ChecksumMemory forgets a store that stops comparing', () => {
  const memory = new ChecksumMemory();
  memory.note('a', compares(), 0);
  const stopped = compares();
  stopped.recordChecksum('part', 'ignored');
  memory.note('a', stopped, 1);
  expect(recalled(memory, 'a', 1)).toEqual(nothing);
});

it('ChecksumMemory forgets a store completely once one operation stops comparing', () => {
  const memory = new ChecksumMemory();
  const both = compares();
  both.recordChecksum('object', 'compared');
  memory.note('a', both, 0);
  both.recordChecksum('object', 'ignored');
  memory.note('a', both, 1);
  expect(recalled(memory, 'a', 1)).toEqual(nothing);
});

it('ChecksumMemory ignores a store whose ETags are no MD5s, as CRC32 alone leaves no receipt', () => {
  const memory = new ChecksumMemory();
  const facts = newFacts();
  facts.recordChecksum('part', 'compared');
  memory.note('a', facts, 0);
  expect(recalled(memory, 'a', 0)).toEqual(nothing);
});
