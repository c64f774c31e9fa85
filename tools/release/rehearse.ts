import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../../scripts/setup/run.mjs';
import { type Rehearsed, rehearsalOf } from './rehearsal.ts';

const systems: Partial<Readonly<Record<NodeJS.Platform, string>>> = { win32: 'Windows', darwin: 'macOS' };
const shownLines = 15;

/**
 * Runs the release workflow's commands in a clean clone of the last commit and reports what worked, what
 * failed and what this machine can't do.
 * @returns whether nothing failed
 */
export async function rehearse(root: string, say: (line: string) => void): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), 'tilelift-rehearsal-'));
  const clone = join(work, 'tilelift');
  const report: string[] = [];
  const failures: string[] = [];
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
    for (const step of rehearsalOf(
      workflow,
      systems[process.platform] ?? 'Linux',
      process.getuid?.() === 0,
    )) {
      const startedAt = Date.now();
      if (step.kind === 'run') say(`${step.name} …`);
      const problem = await play(step, clone, work);
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      const result =
        step.kind === 'unable' ? `not here: ${step.why}` : problem === null ? 'good' : `FAILED: ${problem}`;
      if (step.kind !== 'unable' && problem !== null) failures.push(step.name);
      say(step.kind === 'run' ? `  ${result} (${seconds} s)` : `${step.name}: ${result}`);
      report.push(`${step.name}: ${result.split('\n')[0]}`);
    }
    const files = globSync('release/*', { cwd: clone });
    say(`\nThe release would contain:\n${files.map((file) => sized(clone, file)).join('\n')}`);
    say(`\n${report.join('\n')}\n${failures.length} failed.`);
    return failures.length === 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns what is wrong, or null */
async function play(step: Rehearsed, clone: string, work: string): Promise<string | null> {
  if (step.kind === 'unable') return null;
  if (step.kind === 'collect') {
    const missing = step.patterns.filter((pattern) => {
      const files = globSync(pattern, { cwd: clone });
      for (const file of files) cpSync(join(clone, file), join(clone, 'release', basename(file)));
      return files.length === 0;
    });
    return missing.length === step.patterns.length ? `there is none of ${missing.join(' ')}` : null;
  }
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  const github = join(work, 'github-env');
  writeFileSync(github, '');
  const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', step.script], {
    cwd: clone,
    quiet: true,
    env: {
      ...process.env,
      GITHUB_REF_NAME: `v${version}`,
      GITHUB_ENV: github,
      RUNNER_TEMP: work,
      RUNNER_OS: systems[process.platform] ?? 'Linux',
      ...{ MAC_CERTIFICATE: '', WINDOWS_CERTIFICATE: '', APPLE_API_KEY_FILE: '' },
    },
  });
  return code === 0 ? null : `code ${code}\n${output.trim().split('\n').slice(-shownLines).join('\n')}`;
}

function sized(clone: string, file: string): string {
  return `  ${basename(file)}  ${(readFileSync(join(clone, file)).length / 1e6).toFixed(1)} MB`;
}
