import { z } from 'zod';
import { bundledClient } from './contenders/bundled-clients.ts';
import { plainEnvironment } from './contenders/contender.ts';
import { findPrograms } from './contenders/programs.ts';
import { measure } from './measure.ts';
import { median, rotate } from './numbers.ts';

export interface ScanFigures {
  readonly files: number;
  /** Our scan in a running process, as in the application. */
  readonly oursSeconds: number;
  readonly oursWallSeconds: number;
  /** `find -type f -printf '%s %T@ %p\n'` from start to end, or null without `find`. */
  readonly findSeconds: number | null;
  readonly ratio: number | null;
}

const scanReport = z.object({ files: z.number(), seconds: z.number() });

/** Scans the same tree with both in turns, after an uncounted round that warms the cache. */
export async function raceScan(tree: string, files: number, runs: number): Promise<ScanFigures> {
  const env = plainEnvironment();
  const [find] = await findPrograms('find', '--version');
  const ours: number[] = [];
  const oursWall: number[] = [];
  const theirs: number[] = [];
  const walkOurs = async () => {
    const { wallSeconds, output } = await measure({
      file: process.execPath,
      args: [bundledClient('scan'), tree],
      env,
    });
    const report = scanReport.parse(JSON.parse(output));
    if (report.files !== files) throw new Error(`our scan found ${report.files} files, not ${files}`);
    ours.push(report.seconds);
    oursWall.push(wallSeconds);
  };
  const walkTheirs = async () => {
    if (!find) return;
    const args = [tree, '-type', 'f', '-printf', '%s %T@ %p\\n'];
    theirs.push((await measure({ file: find.file, args, env }, true)).wallSeconds);
  };
  for (let round = 0; round <= runs; round++) {
    for (const walk of rotate([walkOurs, walkTheirs], round)) await walk();
  }
  const counted = (values: readonly number[]) => median(values.slice(1));
  const findSeconds = find ? counted(theirs) : null;
  return {
    files,
    oursSeconds: counted(ours),
    oursWallSeconds: counted(oursWall),
    findSeconds,
    ratio: findSeconds === null ? null : counted(ours) / findSeconds,
  };
}
