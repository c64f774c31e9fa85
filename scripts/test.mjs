/**
 * `npm test`: sets up what is missing, then every step in order, light ones side by side. `npm test -- unit
 * lint` runs the steps whose names begin so. Runs on any Node since 20. The last lines name the tests that
 * failed or were tried twice, and count all.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { ensurePackages, projectEnvironment, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';
import { filesOfEndedRunners } from './test/ended-runners.mjs';
import { filesThatFailed, testsOf } from './test/report.mjs';
import { retriedTests } from './test/retried-tests.mjs';
import { sideBySide } from './test/side-by-side.mjs';
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

/**
 * A step that takes longer hangs: it fails by name, and the others still run. All screens, on a machine that
 * does half of the work of the usual one and has other work besides, take 25 minutes.
 */
const maxMs = 40 * 60_000;

const output = join(root, 'test-output');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const count = { passed: 0, failed: 0, skipped: 0 };
/** Tests that failed, each with its file. @type {string[]} */
const failedTests = [];
/** Tests that passed at their second try, and files that did. @type {string[]} */
const triedTwice = [];
/** By step, the few files that failed: they run again at the end. @type {Map<string, string[]>} */
const failedFiles = new Map();
/** More files than this fail for a reason of their own. */
const maxFilesAgain = 3;
/** @type {string[]} */
const failures = [];
/** @type {string[]} */
const unable = [];
/** @type {string[]} */
const unplayed = [];

/** Whoever wants it to end means all the steps. */
let unwanted = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (unwanted = true));

/**
 * Whether a step's output is shown as it comes. What runs beside that one is shown when it has ended, whole.
 */
let showing = false;
/** @type {string[]} */
const kept = [];
/** Steps prepare one after the other: some install system packages. @type {Promise<unknown>} */
let prepared = Promise.resolve();

await ensurePackages();
await sideBySide(chosen, play, Math.min(2, availableParallelism()));
for (const step of chosen) await playAgain(step);

for (const [step] of failedFiles) failures.push(step);
if (unplayed.length > 0) {
  say(`— ended before ${unplayed.join(', ')}`);
  failures.push(...unplayed);
}
if (unable.length > 0) say(`Not run here: ${unable.join(', ')}`);
for (const test of triedTwice) say(`Tried twice: ${test}`);
for (const test of failedTests) say(`× ${test}`);
if (failures.length > 0) say(`Failed: ${failures.join(', ')}`);
process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
process.exitCode = failures.length > 0 ? 1 : 0;

/**
 * Plays a step and counts it.
 * @param {import('./test/steps.mjs').Step} step
 */
async function play(step) {
  if (unwanted) {
    unplayed.push(step.name);
    return;
  }
  const live = !showing;
  if (live) showing = true;
  /** @type {string[]} */
  const told = [];
  const tell = live ? say : (/** @type {string} */ text) => void told.push(text);
  await playTelling(step, live, tell);
  if (live) showing = false;
  kept.push(...told);
  if (!showing) for (const text of kept.splice(0)) say(text);
}

/**
 * @param {import('./test/steps.mjs').Step} step
 * @param {boolean} live whether its output is shown as it comes
 * @param {(text: string) => void} tell
 */
async function playTelling(step, live, tell) {
  const began = Date.now();
  const preparing = prepared.then(() => step.command());
  prepared = preparing.catch(() => undefined);
  const planned = await preparing;
  if ('unable' in planned) {
    tell(`— ${step.name}: not run: ${planned.unable}`);
    unable.push(step.name);
    count.skipped += 1;
    return;
  }
  tell(`— ${step.name}`);
  const code = await runStep(step, planned, live, tell);
  if (code !== 0 && !failedFiles.has(step.name)) failures.push(step.name);
  if (code !== 0 && !step.report) count.failed += 1;
  if (code !== 0) failedTests.push(...(step.faults?.() ?? []));
  tell(`  ${code === 0 ? 'good' : 'FAILED'} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}

/**
 * What failed in few files of a step is run once more when all steps have ended, by itself: on a busy machine
 * a program may begin too late for the tests of a whole file. What passes then is named.
 * @param {import('./test/steps.mjs').Step} step
 */
async function playAgain(step) {
  const files = failedFiles.get(step.name);
  if (!files || !step.again || unwanted) return;
  failedFiles.delete(step.name);
  const names = files.map((file) => relative(root, file));
  say(`— ${step.name}, by itself: ${names.join(', ')}`);
  const failuresBefore = failures.length;
  await playTelling({ ...step.again(files), again: undefined }, true, say);
  if (failures.length === failuresBefore) triedTwice.push(...names);
}

/**
 * Runs a step to its end. What a crash of Node kept from running is run once more, and that is said; a second
 * crash fails the step.
 * @param {import('./test/steps.mjs').Step} step
 * @param {{ run: string[], env?: Record<string, string> }} planned
 * @param {boolean} live
 * @param {(text: string) => void} tell
 * @returns {Promise<number>} exit code
 */
async function runStep({ name, report, again }, planned, live, tell) {
  const [command = '', ...args] = planned.run;
  const env = projectEnvironment(planned.env);
  // Into a file: a pipe would stay open for what the step leaves behind.
  const log = join(output, `${name.replaceAll(/\W+/g, '-')}.log`);
  const into = live ? 'inherit' : openSync(log, 'w');
  const { code } = await run(command, args, { cwd: root, env, maxMs, stdio: ['inherit', into, into] });
  if (typeof into === 'number') {
    closeSync(into);
    const text = readFileSync(log, 'utf8').trimEnd();
    if (text) tell(text);
  }
  if (code === 124) tell(`  It was ended after ${maxMs / 60_000} minutes.`);
  const files = code !== 0 && again && report ? filesOfEndedRunners(report) : [];
  const failed = code !== 0 && again && report && files.length === 0 ? filesThatFailed(report) : [];
  const later = failed.length > 0 && failed.length <= maxFilesAgain;
  if (later) failedFiles.set(name, failed);
  add(report, later ? failed : []);
  if (files.length === 0 || !again) return code;
  tell(`  Node crashed while it ran ${files.join(', ')}; nothing else failed. Once more:`);
  const once = again(files);
  const plan = await once.command();
  return 'run' in plan ? runStep({ ...once, again: undefined }, plan, live, tell) : code;
}

/**
 * Adds a test runner's report to the count.
 * @param {string | undefined} report
 * @param {readonly string[]} later files that will be run again, which count then
 */
function add(report, later) {
  if (!report) return;
  const tests = testsOf(report);
  if (!tests) count.failed += 1;
  for (const { file, name, status } of tests ?? []) {
    if (later.includes(file)) continue;
    if (status === 'failed') failedTests.push(`${relative(root, file)}: ${name}`);
    if (status === 'passed') count.passed += 1;
    else if (status === 'failed') count.failed += 1;
    else count.skipped += 1;
  }
  triedTwice.push(...retriedTests(report));
}
