import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDeb, whyNotInstallable } from '../installer/deb-for-tests.mjs';
import { outputs } from '../package/unpacked-app.mjs';
import { electronForWindows } from '../setup/electron.mjs';
import { projectNode, root } from '../setup/packages.mjs';
import { say } from '../setup/say.mjs';
import { ensureSystem } from '../setup/system.mjs';
import { dependencyAudit, electronIsCurrent } from './dependency-audit.mjs';
import { securityTests } from './security-tests.mjs';
import { summaryTo } from './summary-reporter.mjs';

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path);
const inProject = (/** @type {string[]} */ ...path) => join(root, ...path);

/**
 * A step of a gate. `plan`: its command, or why it can't run here. `summary`: Vitest's summary file.
 * `repeat`: runs only some test files again.
 * @typedef {{ run: string[], env?: Record<string, string> }} Command
 * @typedef {{ name: string, plan: () => Promise<Command | { unable: string }>, summary?: string,
 *   repeat?: (files: string[]) => { plan: Command, summary: string } }} Step
 */

/** @type {(name: string, ...args: string[]) => Step} */
const tool = (name, ...args) => ({ name, plan: async () => ({ run: [projectNode(), ...args] }) });

/** One line per test, to show which ran and why others can't run here. */
const eachTest = '--reporter=verbose';

/**
 * Vitest tests. Failed ones are retried once and reported, because processes, disks and desktops can be slow.
 * @type {(name: string, which: string[] | (() => string[]), reporter?: string) =>
 *   Step & { plan: () => Promise<Command> }}
 */
const tests = (name, which, reporter = '--reporter=default') => {
  const command = (/** @type {string} */ summary, /** @type {string[]} */ files) => {
    const { args, env } = summaryTo(summary);
    const options = ['--retry=1', reporter, ...args];
    const paths = typeof which === 'function' ? which() : which;
    return { run: [projectNode(), bin('vitest/vitest.mjs'), 'run', ...paths, ...files, ...options], env };
  };
  const summary = inProject('test-output', `${name}.json`);
  const repeatFile = inProject('test-output', `${name}-again.json`);
  return {
    name,
    summary,
    plan: async () => command(summary, []),
    repeat: (files) => ({ plan: command(repeatFile, files), summary: repeatFile }),
  };
};

/** A folder of test/. @type {(name: string, reporter?: string) => ReturnType<typeof tests>} */
const project = (name, reporter) => tests(name, ['--project', name], reporter);

/** Both include the tests that need their own process. */
const unit = tests('unit', ['--project', 'unit*']);
const integration = tests('integration', ['--project', 'integration*']);

const cache = (/** @type {string} */ name) => bin(`.cache/tilelift/${name}`);
const types = tool(
  'types: main, scripts, tests',
  bin('typescript/bin/tsc'),
  ...['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', cache('types.tsbuildinfo')],
);
const rendererTypes = tool(
  'types: renderer',
  bin('svelte-check/bin/svelte-check'),
  ...['--tsconfig', 'tsconfig.renderer.json', '--fail-on-warnings'],
);
const lint = tool('lint', bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '.');
const layering = tool(
  'layering',
  bin('dependency-cruiser/bin/dependency-cruiser.mjs'),
  ...['main', 'preload', 'renderer', 'gallery', 'scripts', 'tools', 'shared', 'strings', 'test'],
  ...['--config', '.dependency-cruiser.mjs', '--cache', cache('layering'), '--cache-strategy', 'content'],
);
const folders = tool('layering: folders', inProject('scripts', 'test', 'folder-cycles.mjs'));
const words = tool('words', inProject('scripts', 'test', 'plain-words.mjs'));
const unusedCode = tool('unused code', bin('knip/bin/knip.js'), '--no-progress');
// A fixed seed repeats the inputs; `npm run fuzz` tries new ones.
const fuzz = tool('fuzz', inProject('test', 'fuzz', 'main.ts'), '--seconds', '20', '--seed', '1');
const packageForTests = tool('package', inProject('scripts', 'package.mjs'), '--for-tests');
const packageForWindows = tool('package: windows', inProject('scripts', 'package.mjs'), '--windows');

const audits = [
  { name: 'audit: packages', plan: dependencyAudit },
  { name: 'audit: electron', plan: electronIsCurrent },
];

const quickSteps = [
  [
    [types, lint, words],
    [rendererTypes, layering, unusedCode, folders],
  ],
];

/**
 * Stages by gate, one after the other. A stage's lanes run at the same time, a lane's steps one after the
 * other. @type {Record<string, Step[][][]>}
 */
export const gates = {
  check: [...quickSteps, [[unit]]],
  test: [
    ...quickSteps,
    [[packageForTests, project('service'), fuzz], [project('faults')]],
    // The first lane's tests and deliveries mostly wait, the others mostly calculate.
    [
      [integration, onDesktop(project('e2e', eachTest))],
      [
        project('deliveries'),
        project('answers'),
        inBackground(project('patterns')),
        inBackground({ ...unit, plan: besideOtherShells }),
      ],
    ],
    [[{ ...project('gallery', eachTest), plan: inWindows }]],
  ],
  release: [
    [
      [
        // Both install system packages.
        { ...project('cli', eachTest), plan: packagesOfTheCommand },
        { ...project('installed'), repeat: undefined, plan: installedPackage },
      ],
      [
        { ...packageForWindows, plan: whereWindowsCanBePacked },
        { ...project('packed'), plan: packedForOtherSystems },
        ...audits,
        { ...project('network'), plan: behindAProxy },
        { ...project('rgw'), plan: realObjectStore },
        { ...project('interop', eachTest), plan: otherPeoplesClients },
      ],
    ],
  ],
  // Packs the app, then runs the tests that docs/security.md names, one line for each item.
  security: [
    [audits],
    [[packageForTests]],
    [[{ ...onDesktop(tests('security tests', securityTests, eachTest)), repeat: undefined }]],
  ],
};

/**
 * Runs tests on the packaged app.
 * @param {ReturnType<typeof tests>} step @returns {Step}
 */
function onDesktop(step) {
  return {
    ...step,
    plan: async () => {
      const missingGroups = await ensureSystem(['display', 'electron', 'keychain', 'browser', 'proxy']);
      if (missingGroups.length > 0) return { unable: lackingPackages(missingGroups) };
      await ensureSystem(['shells']);
      if (!existsSync(join(root, outputs.forTests)))
        return { unable: 'there is no packaged app for tests: run the step "package" first' };
      return step.plan();
    },
  };
}

/**
 * Runs a step with what other lanes leave of the processor, so that their windows miss no frames.
 * @param {Step} step @returns {Step}
 */
function inBackground(step) {
  return {
    ...step,
    plan: async () => {
      const plan = await step.plan();
      if ('unable' in plan || process.platform === 'win32') return plan;
      return { ...plan, run: ['nice', '-n', '10', ...plan.run] };
    },
  };
}

async function inWindows() {
  const missingGroups = await ensureSystem(['display', 'electron', 'keychain']);
  return missingGroups.length > 0
    ? { unable: lackingPackages(missingGroups) }
    : project('gallery', eachTest).plan();
}

async function besideOtherShells() {
  // Tests report a missing shell.
  await ensureSystem(['shells']);
  return unit.plan();
}

async function packagesOfTheCommand() {
  if (process.platform === 'win32') return { unable: 'its packages are tried on Linux and macOS' };
  // Imported late, because the packages are installed before.
  const { packageCommand } = await import('../cli/packages.mjs');
  for (const line of await packageCommand({ quick: true })) say(`  ${line}`);
  return project('cli', eachTest).plan();
}

async function behindAProxy() {
  const [missingGroup] = process.platform === 'linux' ? await ensureSystem(['proxy']) : [];
  if (process.platform !== 'linux') return { unable: 'network namespaces are Linux’s' };
  if (missingGroup)
    return {
      unable: `system packages are missing and can’t be installed here: ${missingGroup.missing.join(' ')}`,
    };
  return project('network').plan();
}

async function otherPeoplesClients() {
  const [missingGroup] = await ensureSystem(['interop']);
  // npm's clients run anyway; the others report what they lack.
  if (missingGroup) say(`  Some clients can’t be installed here: ${missingGroup.missing.join(' ')}`);
  return project('interop', eachTest).plan();
}

async function realObjectStore() {
  const missingVariables = [
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_ROLE_ARN',
    'S3_ACCESS_KEY',
    'S3_SECRET_KEY',
  ].filter((name) => !process.env[name]);
  if (missingVariables.length > 0)
    return { unable: `no real object store is named in the environment (${missingVariables.join(', ')})` };
  return project('rgw').plan();
}

async function whereWindowsCanBePacked() {
  if (process.platform !== 'linux') return { unable: 'it is packed for other systems on Linux' };
  try {
    await electronForWindows();
  } catch (error) {
    return { unable: error instanceof Error ? error.message : String(error) };
  }
  return packageForWindows.plan();
}

async function packedForOtherSystems() {
  if (!existsSync(join(root, outputs.windowsTrial)))
    return { unable: 'nothing is packed for Windows here: see the step "package: windows"' };
  return project('packed').plan();
}

async function installedPackage() {
  const obstacle = await whyNotInstallable();
  if (obstacle) return { unable: obstacle };
  const missingGroups = await ensureSystem(['display', 'electron', 'keychain', 'browser', 'installed']);
  if (missingGroups.length > 0) return { unable: lackingPackages(missingGroups) };
  await ensureDeb();
  return project('installed').plan();
}

/** @param {{ name: string, missing: string[] }[]} groups */
function lackingPackages(groups) {
  const lines = groups.map((group) => `${group.name} (${group.missing.join(' ')})`);
  return `system packages are missing and can’t be installed here: ${lines.join(', ')}`;
}
