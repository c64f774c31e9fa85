import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchAt, type EndBatch, maxHeldMs, noEnds } from '../../../../main/desktop/notices/end-batches.ts';

/** Time passes, jobs end, and others are under way. */
const events = fc.array(
  fc.record({
    ms: fc.integer({ min: 0, max: maxHeldMs }),
    ends: fc.integer({ min: 0, max: 3 }),
    underWay: fc.integer({ min: 0, max: 2 }),
  }),
  { maxLength: 60 },
);

it('end batches announce each end once and in order, together when idle, and never too late', () => {
  fc.assert(
    fc.property(events, (steps) => {
      let batch: EndBatch<{ readonly number: number; readonly at: number }> = noEnds;
      let [now, madeCount] = [0, 0];
      const reports: number[] = [];
      for (const { ms, ends: endCount, underWay: underWayCount } of steps) {
        now += ms;
        const added = Array.from({ length: endCount }, () => ({ number: madeCount++, at: now }));
        if (added.length > 0) batch = { ends: [...batch.ends, ...added], startedAt: batch.startedAt ?? now };
        const nextBatch = batchAt(batch, now, underWayCount);
        reports.push(...nextBatch.dueEnds.map(({ number }) => number));
        // Held and announced ends form one batch, so that none is lost.
        expect(nextBatch.dueEnds.length === 0 || nextBatch.batch.ends.length === 0).toBe(true);
        if (underWayCount === 0) expect(nextBatch.batch.ends).toEqual([]);
        for (const { at } of nextBatch.batch.ends) expect(now - at).toBeLessThan(maxHeldMs);
        if (underWayCount > 0 && nextBatch.dueEnds.length > 0)
          expect(now - (nextBatch.dueEnds[0]?.at ?? now)).toBeGreaterThanOrEqual(maxHeldMs);
        batch = nextBatch.batch;
      }
      expect([...reports, ...batch.ends.map(({ number }) => number)]).toEqual(
        Array.from({ length: madeCount }, (_, number) => number),
      );
    }),
  );
});
