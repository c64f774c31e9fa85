import { afterEach, expect, it } from 'vitest';
import type { SourceFile } from '../../../main/files/model.ts';
import { readNamed } from '../../../main/inspect/grouping/read-named.ts';
import { inspectSource } from '../../../main/inspect/inspect-source.ts';
import { systemClock } from '../../../main/outside.ts';

/** Files of a source. What is made of each has to be cleared up again, while a person waits. */
const count = 5_000;
/** For each file: how often an expression finds something in its name, which makes a list and texts. */
const maxFound = 0.5;

const undo: (() => void)[] = [];
afterEach(endOfCounting);

const counted = { entries: 0, found: 0 };

/** Counts what is put into tables, and what expressions find in texts. */
function beginToCount(): void {
  Object.assign(counted, { entries: 0, found: 0 });
  const { set } = Map.prototype;
  const { add } = Set.prototype;
  const { exec } = RegExp.prototype;
  Map.prototype.set = function (key: unknown, value: unknown) {
    counted.entries -= this.size;
    set.call(this, key, value);
    counted.entries += this.size;
    return this;
  };
  Set.prototype.add = function (value: unknown) {
    counted.entries -= this.size;
    add.call(this, value);
    counted.entries += this.size;
    return this;
  };
  RegExp.prototype.exec = function (text) {
    const match = exec.call(this, text);
    if (match) counted.found += 1;
    return match;
  };
  undo.push(() => {
    Map.prototype.set = set;
    Set.prototype.add = add;
    RegExp.prototype.exec = exec;
  });
}

function endOfCounting(): void {
  for (const one of undo.splice(0)) one();
}

it.each([
  ['of one kind', ['tif'], 5],
  ['of two kinds', ['tif', 'las'], 7],
  ['of none', ['x', 'y'], 5],
])(
  'files %s are put into as few tables as there are questions, and no expression takes their names apart',
  async (_what, endings, maxEntries) => {
    const files = Array.from({ length: count }, (_, at): SourceFile => {
      const key = `block_${at % 12}/tile_${at}.${endings[at % endings.length]}`;
      return { size: at, mtimeMs: 1, path: `/data/${key}`, key };
    });
    beginToCount();
    const source = await inspectSource(['/data'], {
      scan: async () => ({ files, bytes: 0, ignored: [] }),
      inspectFirstFiles: async () => new Map(),
      readNamed: (all) => readNamed(all, async () => [], systemClock),
    });
    endOfCounting();
    expect(source.files).toHaveLength(count);
    expect(counted.entries / count).toBeLessThanOrEqual(maxEntries);
    expect(counted.found / count).toBeLessThanOrEqual(maxFound);
  },
);
