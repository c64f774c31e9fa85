import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { faultsOfFuzz } from '../../../scripts/test/fuzz-faults.mjs';
import { saveInput } from '../../fuzz/saved-input.ts';

const folder = mkdtempSync(join(tmpdir(), 'tilelift-faults-'));

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('tells each fault with the input that repeats it, so that the output alone is enough', () => {
  saveInput(folder, 'heads', { fault: 'crash', input: Buffer.from('II*'), said: 'Error: no\n  at x' });
  saveInput(folder, 'heads', { fault: 'hang', input: Buffer.alloc(5_000), said: 'it did not end' });
  expect(faultsOfFuzz(folder).sort()).toEqual([
    expect.stringMatching(/^heads\.crash\.\w+: Error: no; input SUkq$/),
    expect.stringMatching(/^heads\.hang\.\w+: it did not end; input 5000 bytes$/),
  ]);
});

it('tells nothing where there was no fault', () => {
  expect(faultsOfFuzz(join(folder, 'none'))).toEqual([]);
});
