/**
 * `npm test`: sets up what is missing, then every step in order. `npm test -- unit lint` runs the steps whose names begin so.
 * Runs on any Node since 20. The last line counts the tests.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages, projectEnvironment, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';
import { filesOfEndedRunners, forgetEndedRunners } from './test/ended-runners.mjs';
import { steps } from './test/steps.mjs';

const wanted = process.argv.slice(2);
const chosen =
  wanted.length === 0
    ? steps.filter((step) => !step.byNameOnly)
    : steps.filter((step) => wanted.some((name) => step.name.startsWith(name)));
if (chosen.length === 0) {
  say(`No step begins with ${wanted.join(' or ')}. Steps: ${steps.map((step) => step.name).join(', ')}`);
  process.exit(2);
}

/** A step that takes longer hangs: it fails by name, and the others still run. */
const longestMs = 25 * 60_000;

const output = join(root, 'test-output');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const count = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const unable = [];

/** Whoever wants it to end means all the steps. */
let unwanted = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (unwanted = true));

await ensurePackages();
for (const step of chosen) {
  if (unwanted) {
    say('— ended');
    failures.push(step.name);
    break;
  }
  const began = Date.now();
  const planned = await step.command();
  if ('unable' in planned) {
    say(`— ${step.name}: not run: ${planned.unable}`);
    unable.push(step.name);
    count.skipped += 1;
    continue;
  }
  say(`— ${step.name}`);
  const code = await play(step, planned);
  if (code !== 0) failures.push(step.name);
  if (code !== 0 && !step.report) count.failed += 1;
  say(`  ${code === 0 ? 'good' : 'FAILED'} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}

if (unable.length > 0) say(`Not run here: ${unable.join(', ')}`);
if (failures.length > 0) say(`Failed: ${failures.join(', ')}`);
process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
process.exitCode = failures.length > 0 ? 1 : 0;

/**
 * Runs a step to its end. What a crash of Node kept from running is run once more, and that is said; a second crash fails the step.
 * @param {import('./test/steps.mjs').Step} step
 * @param {{ run: string[], env?: Record<string, string> }} planned
 * @returns {Promise<number>} exit code
 */
async function play({ report, again }, planned) {
  const [command = '', ...args] = planned.run;
  const env = projectEnvironment(planned.env);
  forgetEndedRunners();
  const { code } = await run(command, args, { cwd: root, env, longestMs });
  if (code === 124) say(`  It was ended after ${longestMs / 60_000} minutes.`);
  add(report);
  const files = code !== 0 && again ? filesOfEndedRunners() : [];
  if (files.length === 0 || !again) return code;
  say(`  Node crashed while it ran ${files.join(', ')}; nothing else failed. Once more:`);
  const once = again(files);
  const plan = await once.command();
  return 'run' in plan ? play({ ...once, again: undefined }, plan) : code;
}

/** Adds a test runner's report to the count. @param {string | undefined} report */
function add(report) {
  if (!report) {
    return;
  }
  if (!existsSync(report)) {
    count.failed += 1;
    return;
  }
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  count.passed += numPassedTests;
  count.failed += numFailedTests;
  count.skipped += numPendingTests;
}
