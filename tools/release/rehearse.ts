import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../../scripts/setup/run.mjs';
import { type RehearsedAction, rehearsalOf } from './rehearsal.ts';

const systems: Partial<Readonly<Record<NodeJS.Platform, string>>> = { win32: 'Windows', darwin: 'macOS' };
const shownLines = 15;
/** How our scripts say what they omit and why. */
const omission = /^(?!- ).*\b(is left out:|stand in for)|^Not run here/;

/**
 * Runs the release workflow's commands in a clean clone of the last commit, and reports what worked, what
 * failed and what this machine can't do. Keeps packages and logs in `dist/rehearsal`.
 * @param isQuick whether packages are compressed less
 * @returns whether nothing failed
 */
export async function rehearse(
  root: string,
  isQuick: boolean,
  say: (line: string) => void,
): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), 'tilelift-rehearsal-'));
  const clone = join(work, 'tilelift');
  const keptFolder = join(root, 'dist', 'rehearsal');
  const report: string[] = [];
  const failures: string[] = [];
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
  rmSync(keptFolder, { recursive: true, force: true });
  mkdirSync(keptFolder, { recursive: true });
  try {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
    say(`Rehearsing in ${clone}`);
    const { ensurePackages } = await import(join(clone, 'scripts', 'setup', 'packages.mjs'));
    await ensurePackages();
    // A fresh clone has no packages yet when this file loads.
    const { ofLibrary } = await import(join(clone, 'scripts', 'package', 'builder-library.mjs'));
    const workflow = ofLibrary('js-yaml').load(
      readFileSync(join(clone, '.github', 'workflows', 'release.yml'), 'utf8'),
    );
    mkdirSync(join(clone, 'release'));
    const circumstances = {
      system: systems[process.platform] ?? 'Linux',
      isRoot: process.getuid?.() === 0,
      isQuick,
    };
    for (const [index, step] of rehearsalOf(workflow, circumstances).entries()) {
      if (isStopped) throw new Error(`Stopped before ${step.name}`);
      const startedAt = Date.now();
      if (step.kind === 'run') say(`${step.name} …`);
      const { problem, omitted: omittedSteps } = await play(
        step,
        clone,
        work,
        join(keptFolder, `${index}.log`),
      );
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      const result =
        step.kind === 'unable' ? `not here: ${step.why}` : problem === null ? 'good' : `FAILED: ${problem}`;
      if (problem !== null) failures.push(step.name);
      say(step.kind === 'run' ? `  ${result} (${seconds} s)` : `${step.name}: ${result}`);
      const time = step.kind === 'run' ? `, ${seconds} s` : '';
      report.push(
        `${step.name}: ${result.split('\n')[0]}${time}`,
        ...omittedSteps.map((line) => `  ${line}`),
      );
    }
    for (const file of globSync('release/*', { cwd: clone }))
      cpSync(join(clone, file), join(keptFolder, basename(file)));
    say(`\n${report.join('\n')}\n${failures.length} failed. Logs: ${join(keptFolder, '*.log')}. Results:`);
    for (const file of globSync('*', { cwd: keptFolder, exclude: ['*.log'] }).sort())
      say(withSize(join(keptFolder, file)));
    return failures.length === 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface PlayResult {
  /** Null if it worked. */
  readonly problem: string | null;
  readonly omitted: readonly string[];
}

async function play(step: RehearsedAction, clone: string, work: string, log: string): Promise<PlayResult> {
  if (step.kind === 'unable') return { problem: null, omitted: [] };
  if (step.kind === 'collect') {
    const missingPatterns = step.patterns.filter((pattern) => {
      const files = globSync(pattern, { cwd: clone });
      for (const file of files) cpSync(join(clone, file), join(clone, 'release', basename(file)));
      return files.length === 0;
    });
    const problem =
      missingPatterns.length === step.patterns.length
        ? `there is none of ${missingPatterns.join(' ')}`
        : null;
    return {
      problem,
      omitted: problem === null && missingPatterns.length > 0 ? [`none of ${missingPatterns.join(' ')}`] : [],
    };
  }
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  const github = join(work, 'github-env');
  writeFileSync(github, '');
  // A file, because a pipe stays open for processes that a step leaves behind.
  const stream = openSync(log, 'w');
  const { code } = await run('bash', ['-euo', 'pipefail', '-c', step.script], {
    cwd: clone,
    stdio: ['ignore', stream, stream],
    env: {
      ...process.env,
      GITHUB_REF_NAME: `v${version}`,
      GITHUB_ENV: github,
      RUNNER_TEMP: work,
      RUNNER_OS: systems[process.platform] ?? 'Linux',
      ...{ MAC_CERTIFICATE: '', WINDOWS_CERTIFICATE: '', APPLE_API_KEY_FILE: '' },
    },
  });
  closeSync(stream);
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return {
    problem: code === 0 ? null : `code ${code}, ${log}\n${lines.slice(-shownLines).join('\n')}`,
    omitted: lines.filter((line) => omission.test(line)),
  };
}

function withSize(file: string): string {
  return `  ${file}  ${(statSync(file).size / 1e3).toFixed(0)} kB`;
}
