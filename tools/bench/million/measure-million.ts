import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nodeLimits } from '../../../scripts/cli/node-limits.mjs';
import { clientCommand } from '../contenders/node-clients.ts';
import { makeTree, treeBytes, treeNameBytes } from '../fixtures.ts';
import type { Sink } from '../sink/launch.ts';
import type { Work } from '../work.ts';
import { type Progress, progressSchema } from './progress.ts';

export interface MillionFigures {
  readonly files: number;
  /** Until the plan is in the journal. */
  readonly plannedSeconds: number;
  /** A complete run without a kill; the journal's share of it. */
  readonly seconds: number;
  readonly journalSeconds: number;
  /** Journal size per file without the file's name. */
  readonly journalBytesPerFile: number;
  /** Largest resident size: of scan, plan and transfer, and of the run after the kill. */
  readonly peakBytes: number;
  readonly peakBytesAgain: number;
  /** From the restart to the first confirmed file. */
  readonly resumeSeconds: number;
  /** Files sent twice because of the kill, derived from storage's requests. */
  readonly sentTwice: number;
}

/** Sends a tree of small files over HTTP: once completely, once killed in the middle and restarted. */
export async function measureMillion(
  files: number,
  folder: string,
  sink: Sink,
  say: (line: string) => void,
): Promise<MillionFigures> {
  const path = join(folder, 'many');
  say(`${files} files in folders of a thousand`);
  await makeTree(path, files);
  const work: Work = { id: 'small', shape: 'folder', path, files, bytes: treeBytes(files) };
  const journals = [join(folder, 'journal-whole'), join(folder, 'journal-killed')] as const;
  for (const journal of journals) await mkdir(journal);
  const run = (journal: string, killAtHalf: boolean) => runClient(work, sink, journal, killAtHalf);
  try {
    await sink.reset();
    say('whole');
    const firstRun = await run(journals[0], false);
    await sink.reset();
    say('killed in the middle');
    await run(journals[1], true);
    const secondRun = await run(journals[1], false);
    const { objects, requests } = await sink.report();
    const [plannedLine, end] = [lineOfKind(firstRun, 'planned'), lineOfKind(firstRun, 'end')];
    const [firstLine, endAgain] = [lineOfKind(secondRun, 'first'), lineOfKind(secondRun, 'end')];
    if (endAgain.files !== files || objects !== files)
      throw new Error(`of ${files} files ${objects} are there, and the journal knows ${endAgain.files}`);
    return {
      files,
      plannedSeconds: plannedLine.seconds,
      seconds: end.seconds,
      journalSeconds: end.journalSeconds,
      journalBytesPerFile: (end.journalBytes - treeNameBytes(files)) / files,
      peakBytes: end.peakBytes,
      peakBytesAgain: endAgain.peakBytes,
      resumeSeconds: firstLine.seconds,
      // A small file is exactly one request.
      sentTwice: requests - files,
    };
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function runClient(work: Work, sink: Sink, journal: string, killAtHalf: boolean): Promise<Progress[]> {
  const { file, args, env } = clientCommand('many', work, sink.target('http'));
  const child = spawn(file, [...args, journal], {
    env: { ...env, ...nodeLimits },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const childClosed = once(child, 'close');
  const lines: Progress[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const progress = progressSchema.parse(JSON.parse(line));
    lines.push(progress);
    if (killAtHalf && progress.kind === 'half') child.kill('SIGKILL');
  }
  const [code]: unknown[] = await childClosed;
  if (code !== 0 && !killAtHalf) throw new Error(`the engine ended with ${String(code)}`);
  return lines;
}

function lineOfKind<Kind extends Progress['kind']>(
  lines: readonly Progress[],
  kind: Kind,
): Extract<Progress, { kind: Kind }> {
  const line = lines.find(
    (progress): progress is Extract<Progress, { kind: Kind }> => progress.kind === kind,
  );
  if (!line) throw new Error(`the engine never reported: ${kind}`);
  return line;
}
