import { afterEach, expect, it } from 'vitest';
import type { SourceFile } from '../../../main/files/model.ts';
import { readReferences } from '../../../main/inspect/grouping/read-references.ts';
import { inspectSource } from '../../../main/inspect/inspect-source.ts';
import { systemClock } from '../../../main/ports.ts';

/** Files of a source; copies cost garbage collection while the user waits. */
const count = 5_000;
/** Matches of expressions for each file, which create arrays and strings. */
const maxFound = 0.5;

const undo: (() => void)[] = [];
afterEach(endOfCounting);

const counts = { entries: 0, found: 0 };

/** Counts table entries and expression matches. */
function beginToCount(): void {
  Object.assign(counts, { entries: 0, found: 0 });
  const { set } = Map.prototype;
  const { add } = Set.prototype;
  const { exec } = RegExp.prototype;
  Map.prototype.set = function (key: unknown, value: unknown) {
    counts.entries -= this.size;
    set.call(this, key, value);
    counts.entries += this.size;
    return this;
  };
  Set.prototype.add = function (value: unknown) {
    counts.entries -= this.size;
    add.call(this, value);
    counts.entries += this.size;
    return this;
  };
  RegExp.prototype.exec = function (text) {
    const match = exec.call(this, text);
    if (match) counts.found += 1;
    return match;
  };
  undo.push(() => {
    Map.prototype.set = set;
    Set.prototype.add = add;
    RegExp.prototype.exec = exec;
  });
}

function endOfCounting(): void {
  for (const restore of undo.splice(0)) restore();
}

it.each([
  ['of one kind', ['tif'], 5],
  ['of two kinds', ['tif', 'las'], 7],
  ['of none', ['x', 'y'], 5],
])(
  'an inspection of files %s copies names into few tables and matches no expression',
  async (_what, endings, maxEntries) => {
    const files = Array.from({ length: count }, (_, at): SourceFile => {
      const key = `block_${at % 12}/tile_${at}.${endings[at % endings.length]}`;
      return { size: at, mtimeMs: 1, path: `/data/${key}`, key };
    });
    beginToCount();
    const source = await inspectSource(['/data'], {
      scan: async () => ({ files, bytes: 0, ignored: [] }),
      inspectFirstFiles: async () => new Map(),
      readReferences: (sourceFiles) => readReferences(sourceFiles, async () => [], systemClock),
    });
    endOfCounting();
    expect(source.files).toHaveLength(count);
    expect(counts.entries / count).toBeLessThanOrEqual(maxEntries);
    expect(counts.found / count).toBeLessThanOrEqual(maxFound);
  },
);
