import { describe, expect, it } from 'vitest';
import type { Confirmation } from '../../../../main/jobs/journal/journal-model.ts';
import { createConfirmations } from '../../../../main/jobs/steps/confirmations.ts';

const part = (number: number): Confirmation => ({ fileId: 1, part: { number, size: 1, etag: 'e' } });
const whole: Confirmation = { fileId: 1, part: null };

function setUp(confirm: (batch: readonly Confirmation[]) => void = () => {}) {
  const batches: (readonly Confirmation[])[] = [];
  let now = 0;
  const confirmations = createConfirmations(
    {
      confirm: (batch) => {
        confirm(batch);
        batches.push(batch);
      },
    },
    { now: () => now },
  );
  return {
    confirmations,
    batches,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('confirmations', () => {
  it('that arrive together share a transaction, in their order', async () => {
    const { confirmations, batches } = setUp();
    await Promise.all([confirmations.add(part(1)), confirmations.add(part(2)), confirmations.add(whole)]);
    expect(batches).toEqual([[part(1), part(2), whole]]);
  });

  it('count only once they are in the journal', async () => {
    const { confirmations, batches } = setUp();
    let counted = false;
    const added = confirmations.add(part(1)).then(() => {
      counted = true;
      expect(batches).toHaveLength(1);
    });
    expect(counted).toBe(false);
    await added;
  });

  it('do not count when the journal can’t take them, and the next ones are tried again', async () => {
    let full = true;
    const { confirmations, batches } = setUp(() => {
      if (full) throw new Error('full');
    });
    const refused = await Promise.allSettled([confirmations.add(part(1)), confirmations.add(part(2))]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    full = false;
    await confirmations.add(part(3));
    expect(batches).toEqual([[part(3)]]);
  });

  it('wait after a slow transaction, so that the disk does not take all of the thread', async () => {
    let slow = (): void => {};
    const setting = setUp(() => slow());
    slow = () => setting.pass(10);
    await setting.confirmations.add(part(1));
    const began = performance.now();
    await setting.confirmations.add(part(2));
    // The clock of the test stands still meanwhile: 40 ms are due.
    expect(performance.now() - began).toBeGreaterThanOrEqual(38);
  });

  it('are written at once where someone has to know', async () => {
    const { confirmations, batches } = setUp();
    const added = confirmations.add(part(1));
    confirmations.flush();
    expect(batches).toHaveLength(1);
    await added;
    expect(batches).toHaveLength(1);
  });
});
