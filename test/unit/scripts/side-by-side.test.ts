import { describe, expect, it } from 'vitest';
import { sideBySide } from '../../../scripts/test/side-by-side.mjs';

interface Step {
  readonly name: string;
  readonly light?: boolean;
  readonly after?: readonly string[];
}

/** Plays steps that end when they are told to; `seen` has what began and ended so far. */
function played(steps: readonly Step[], most = 2) {
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const done = sideBySide(
    steps,
    ({ name }) =>
      new Promise<void>((resolve) => {
        seen.push(`+${name}`);
        ends.set(name, () => {
          seen.push(`-${name}`);
          resolve();
        });
      }),
    most,
  );
  const end = async (name: string) => {
    ends.get(name)?.();
    // What waited for it continues.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { seen, end, done };
}

const light = (name: string, ...after: string[]): Step => ({ name, light: true, after });

describe('steps side by side', () => {
  it('has two light ones at once, in their order', async () => {
    const { seen, end, done } = played([light('a'), light('b'), light('c')]);
    expect(seen).toEqual(['+a', '+b']);
    await end('b');
    expect(seen).toEqual(['+a', '+b', '-b', '+c']);
    await end('a');
    await end('c');
    await done;
  });

  it('has any other alone', async () => {
    const { seen, end, done } = played([light('a'), { name: 'heavy' }, light('b')]);
    expect(seen).toEqual(['+a']);
    await end('a');
    expect(seen).toEqual(['+a', '-a', '+heavy']);
    await end('heavy');
    expect(seen).toEqual(['+a', '-a', '+heavy', '-heavy', '+b']);
    await end('b');
    await done;
  });

  it('begins none before those that it needs have ended', async () => {
    const { seen, end, done } = played([light('package'), light('e2e', 'package')]);
    expect(seen).toEqual(['+package']);
    await end('package');
    expect(seen).toEqual(['+package', '-package', '+e2e']);
    await end('e2e');
    await done;
  });

  it('has one at a time where there is one core', async () => {
    const { seen, end, done } = played([light('a'), light('b')], 1);
    expect(seen).toEqual(['+a']);
    await end('a');
    expect(seen).toEqual(['+a', '-a', '+b']);
    await end('b');
    await done;
  });

  it('ends when the last has ended', async () => {
    const { end, done } = played([light('a'), light('b')]);
    let over = false;
    void done.then(() => (over = true));
    await end('b');
    expect(over).toBe(false);
    await end('a');
    await done;
  });
});
