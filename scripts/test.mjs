/**
 * `npm run check`, `npm test`, `npm run test:release`: installs dependencies and runs a gate's steps
 * (`test/steps.mjs`). `npm test -- unit lint` runs the steps with these prefixes. `--require=NAME` fails if
 * that step can't run. Runs on Node 20 or later. The last line counts all tests.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages, projectEnvironment, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';
import { choose } from './test/choose.mjs';
import { gates } from './test/steps.mjs';
import { readSummary } from './test/summary-reporter.mjs';

const requires = (/** @type {string} */ argument) => argument.startsWith('--require=');
const requiredSteps = process.argv.filter(requires).map((argument) => argument.slice('--require='.length));
const names = process.argv.slice(2).filter((argument) => !requires(argument));
const chosenSteps = choose(gates, names.length > 0 ? names : ['test']);
if (chosenSteps.length === 0) {
  const steps = Object.values(gates).flat(3);
  say(
    `No gate or step begins with ${names.join(' or ')}: ${[...new Set(steps.map(({ name }) => name))].join(', ')}`,
  );
  process.exit(2);
}

/** Timeout of a step; the others still run. */
const maxMs = 40 * 60_000;
/** More failed files than this have a common cause and aren't repeated. */
const maxRepeatedFiles = 3;
const output = join(root, 'test-output');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

const count = { passed: 0, skipped: 0 };
/** Step notes for the end. @type {{ failed: string[], retried: string[], unable: string[] }} */
const notes = { failed: [], retried: [], unable: [] };
/** @type {{ name: string, seconds: number }[]} */
const durations = [];
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isStopped = true));

await ensurePackages();
for (const stage of chosenSteps) {
  /** @type {(() => Promise<void>)[]} */
  const counts = [];
  await Promise.all(
    stage.map(async (lane) => {
      for (const step of lane)
        if (isStopped) notes.failed.push(`stopped before ${step.name}`);
        else counts.push(await play(step, stage.length > 1));
    }),
  );
  for (const addToCounts of counts) await addToCounts();
}
say('Seconds of each step:');
for (const { name, seconds } of durations.sort((a, b) => b.seconds - a.seconds))
  say(`${seconds.toFixed(1).padStart(8)}  ${name}`);
for (const line of notes.unable) say(`Not run here: ${line}`);
for (const line of notes.retried) say(`Passed when repeated: ${line}`);
for (const line of notes.failed) say(`× ${line}`);
process.stdout.write(`${count.passed} passed, ${notes.failed.length} failed, ${count.skipped} skipped\n`);
process.exitCode = notes.failed.length > 0 ? 1 : 0;

/**
 * Runs a step.
 * @param {import('./test/steps.mjs').Step} step
 * @param {boolean} isShared whether other steps run at the same time, so its output is shown at its end
 * @returns {Promise<() => Promise<void>>} call it when no other step runs: repeats failed files and adds the
 * step to the count
 */
async function play(step, isShared) {
  const startedAt = Date.now();
  const plan = await step.plan();
  if ('unable' in plan) {
    const line = `${step.name}: ${plan.unable}`;
    const list = requiredSteps.some((name) => step.name.startsWith(name)) ? notes.failed : notes.unable;
    list.push(line);
    count.skipped += list === notes.unable ? 1 : 0;
    say(`— ${line}`);
    return async () => {};
  }
  if (!isShared) say(`— ${step.name}`);
  const log = join(output, `${step.name.replaceAll(/\W+/g, '-')}.log`);
  const code = await execute(plan, isShared ? log : null);
  if (isShared) say(`— ${step.name}\n${readFileSync(log, 'utf8').trimEnd()}`);
  const seconds = (Date.now() - startedAt) / 1000;
  durations.push({ name: step.name, seconds });
  say(`  ${step.name}: ${code === 0 ? 'good' : 'FAILED'} (${seconds.toFixed(1)} s)`);
  return () => addToCount(step, code);
}

/**
 * @param {import('./test/steps.mjs').Step} step
 * @param {number} firstCode its exit code
 */
async function addToCount(step, firstCode) {
  let code = firstCode;
  let summary = step.summary ? readSummary(step.summary) : null;
  // Retrying a test repeats neither hooks nor tests that a crash of Node ended (nodejs/node#56312).
  const files = summary?.failedFiles ?? [];
  if (summary && step.repeat && files.length > 0 && files.length <= maxRepeatedFiles && !isStopped) {
    const repeatCommand = step.repeat(files);
    say(`  ${step.name}, once more: ${files.join(', ')}`);
    code = await execute(repeatCommand.plan, null);
    const second = readSummary(repeatCommand.summary);
    if (code === 0 && second) summary = { ...summary, failed: [], retried: [...summary.retried, ...files] };
  }
  count.passed += summary?.passed ?? 0;
  count.skipped += summary?.skipped ?? 0;
  notes.retried.push(...(summary?.retried ?? []));
  const failedFiles = summary?.failed ?? [];
  notes.failed.push(...failedFiles);
  if (code !== 0 && failedFiles.length === 0) notes.failed.push(`${step.name}: ended with code ${code}`);
}

/**
 * @param {{ run: string[], env?: Record<string, string> }} plan
 * @param {string | null} log file for the output; null: ours
 * @returns {Promise<number>} exit code; 124 after `maxMs`
 */
async function execute({ run: [command = '', ...args], env }, log) {
  // A file, because a pipe stays open for processes that the step leaves behind.
  const stream = log === null ? 'inherit' : openSync(log, 'w');
  const { code } = await run(command, args, {
    cwd: root,
    env: projectEnvironment(env),
    maxMs,
    stdio: ['inherit', stream, stream],
  });
  if (typeof stream === 'number') closeSync(stream);
  return code;
}
