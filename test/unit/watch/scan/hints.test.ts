import { describe, expect, it } from 'vitest';
import { Hints } from '../../../../main/watch/scan/hints.ts';

const entries = { folder: '/in', unit: { kind: 'entries' } } as const;
const files = { folder: '/in', unit: { kind: 'files', patterns: ['*.las'] } } as const;

function fresh(rule: ConstructorParameters<typeof Hints>[0]): Hints {
  const hints = new Hints(rule);
  hints.clear();
  return hints;
}

describe('Hints', () => {
  it('starts with a full scan', () => {
    const hints = new Hints(entries);
    expect(hints.isEmpty).toBe(false);
    expect(hints.drain()).toBe('everything');
    expect(hints.isEmpty).toBe(true);
    expect(hints.drain()).toEqual([]);
  });

  it('merges all changes within a top-level entry into one hint', () => {
    const hints = fresh(entries);
    for (let index = 0; index < 1_000; index++) hints.add(`/in/Kai/${index}.jpg`);
    hints.add('/in/Hafen');
    expect(hints.has('/in/Kai')).toBe(true);
    expect(hints.drain()).toEqual(['/in/Kai', '/in/Hafen']);
  });

  it('keeps one hint per file until a full scan is cheaper', () => {
    const hints = fresh(files);
    for (let index = 0; index < 20; index++) hints.add(`/in/a/${index}.las`);
    expect(hints.has('/in/a/7.las')).toBe(true);
    expect(hints.has('/in/a/99.las')).toBe(false);
    hints.add('/in/b/1.las');
    expect(hints.has('/in/a/99.las')).toBe(true);
    expect(hints.drain()).toBe('everything');
  });

  it('requests a full scan for the folder itself and for rules for a whole folder', () => {
    const whole = fresh(entries);
    whole.add('/in');
    expect(whole.drain()).toBe('everything');
    const ruled = fresh({ folder: '/in', unit: { kind: 'whole-folder' } });
    ruled.add('/in/sub/a.las');
    expect(ruled.drain()).toBe('everything');
  });

  it('requests a full scan for a name that isn’t UTF-8, which no path describes', () => {
    const hints = fresh(files);
    hints.add('/in/Gel\ufffdnde.las');
    expect(hints.drain()).toBe('everything');
    const hintsOfEntries = fresh(entries);
    hintsOfEntries.add('/in/Kai/Gr\ufffd\ufffde.jpg');
    expect(hintsOfEntries.drain()).toEqual(['/in/Kai']);
  });

  it('ignores paths outside the folder', () => {
    const hints = fresh(entries);
    hints.add('/elsewhere/a');
    expect(hints.isEmpty).toBe(true);
  });
});
