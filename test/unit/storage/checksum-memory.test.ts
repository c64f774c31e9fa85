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
const recalledFacts = (memory: ChecksumMemory, store: string, now: number) => {
  const facts = newFacts();
  memory.recall(store, facts, now);
  return [facts.checksums('part'), facts.checksums('object'), facts.etags];
};
const nothingKnown = ['unknown', 'unknown', 'unknown'];

it('ChecksumMemory remembers for a day what each store compares', () => {
  const memory = new ChecksumMemory();
  memory.note('a', compares(), 0);
  expect(recalledFacts(memory, 'a', day)).toEqual(['compared', 'unknown', 'md5']);
  expect(recalledFacts(memory, 'b', day)).toEqual(nothingKnown);
  expect(recalledFacts(memory, 'a', day + 1)).toEqual(nothingKnown);
});

it.each(['aws', 'other'] as const)(
  'ChecksumMemory remembers whether multipart ETags follow AWS’s formula: %s',
  (kind) => {
    const memory = new ChecksumMemory();
    const facts = newFacts();
    facts.recordComposite(kind);
    memory.note('a', facts, 0);
    const laterFacts = newFacts();
    memory.recall('a', laterFacts, day);
    expect(laterFacts.composites).toBe(kind);
    expect(laterFacts.etags).toBe('unknown');
  },
);

it('ChecksumMemory ignores entries after the clock was set back', () => {
  const memory = new ChecksumMemory();
  memory.note('a', compares(), 3 * day);
  expect(recalledFacts(memory, 'a', 0)).toEqual(nothingKnown);
});

it('ChecksumMemory forgets a store that stops comparing', () => {
  const memory = new ChecksumMemory();
  memory.note('a', compares(), 0);
  const stoppedFacts = compares();
  stoppedFacts.recordChecksum('part', 'ignored');
  memory.note('a', stoppedFacts, 1);
  expect(recalledFacts(memory, 'a', 1)).toEqual(nothingKnown);
});

it('ChecksumMemory forgets a store completely once one operation stops comparing', () => {
  const memory = new ChecksumMemory();
  const bothFacts = compares();
  bothFacts.recordChecksum('object', 'compared');
  memory.note('a', bothFacts, 0);
  bothFacts.recordChecksum('object', 'ignored');
  memory.note('a', bothFacts, 1);
  expect(recalledFacts(memory, 'a', 1)).toEqual(nothingKnown);
});

it('ChecksumMemory ignores a store whose ETags are no MD5s, as CRC32 alone leaves no receipt', () => {
  const memory = new ChecksumMemory();
  const facts = newFacts();
  facts.recordChecksum('part', 'compared');
  memory.note('a', facts, 0);
  expect(recalledFacts(memory, 'a', 0)).toEqual(nothingKnown);
});
