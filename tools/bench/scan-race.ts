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
  const [findProgram] = await findPrograms('find', '--version');
  const ourSeconds: number[] = [];
  const oursWall: number[] = [];
  const theirSeconds: number[] = [];
  const walkOurs = async () => {
    const { wallSeconds, output } = await measure({
      file: process.execPath,
      args: [bundledClient('scan'), tree],
      env,
    });
    const report = scanReport.parse(JSON.parse(output));
    if (report.files !== files) throw new Error(`our scan found ${report.files} files, not ${files}`);
    ourSeconds.push(report.seconds);
    oursWall.push(wallSeconds);
  };
  const walkTheirs = async () => {
    if (!findProgram) return;
    const args = [tree, '-type', 'f', '-printf', '%s %T@ %p\\n'];
    theirSeconds.push((await measure({ file: findProgram.file, args, env }, true)).wallSeconds);
  };
  for (let round = 0; round <= runs; round++) {
    for (const walk of rotate([walkOurs, walkTheirs], round)) await walk();
  }
  const medianAfterFirst = (values: readonly number[]) => median(values.slice(1));
  const findSeconds = findProgram ? medianAfterFirst(theirSeconds) : null;
  return {
    files,
    oursSeconds: medianAfterFirst(ourSeconds),
    oursWallSeconds: medianAfterFirst(oursWall),
    findSeconds,
    ratio: findSeconds === null ? null : medianAfterFirst(ourSeconds) / findSeconds,
  };
}
