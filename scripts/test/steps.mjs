import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDeb, whyNotInstallable } from '../installer/deb-for-tests.mjs';
import { outputs } from '../package/unpacked-app.mjs';
import { electronForWindows } from '../setup/electron.mjs';
import { projectNode, root } from '../setup/packages.mjs';
import { say } from '../setup/say.mjs';
import { ensureSystem } from '../setup/system.mjs';
import { dependencyAudit, electronIsCurrent } from './dependency-audit.mjs';
import { desktopSession } from './desktop-session.mjs';
import { endedRunnersReporter } from './ended-runners.mjs';
import { faultsOfFuzz } from './fuzz-faults.mjs';
import { retriedTestsReporter } from './retried-tests.mjs';
import { securityTests } from './security-tests.mjs';

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path);
const node = () => projectNode();

/**
 * A step of `npm test`. `command` gives what to run, or the reason why it can't run here. `byNameOnly`: what
 * it runs is part of other steps; it is there to be asked for alone. `light`, `after`: see `sideBySide`.
 * `again`: the same for some test files alone, absolute paths. `faults`: where no report tells, what a step
 * that failed has found.
 * @typedef {{ name: string, byNameOnly?: boolean, light?: boolean, after?: string[], command: () => Promise<{
 *   run: string[], env?: Record<string, string> } | { unable: string }>, report?: string, again?: (files:
 *   string[]) => Step, faults?: () => string[] }} Step
 */

/** @type {(name: string, ...args: string[]) => Step} */
const tool = (name, ...args) => ({ name, command: async () => ({ run: [node(), ...args] }) });

/** @type {(name: string, ...args: string[]) => Step} */
const vitest = (name, ...args) => {
  const report = join(root, 'test-output', `${name}.json`);
  const ended = endedRunnersReporter(report);
  const retried = retriedTestsReporter(report);
  const run = [
    ...[node(), bin('vitest/vitest.mjs'), 'run', '--project', name.replace(/-again$/, ''), ...args],
    ...(args.includes(eachByName) ? [] : ['--reporter=default']),
    ...['--reporter=json', `--reporter=${ended.path}`, `--reporter=${retried.path}`],
    `--outputFile.json=${report}`,
  ];
  return {
    name,
    command: async () => ({ run, env: { ...ended.env, ...retried.env } }),
    report,
    again: (files) => vitest(`${name}-again`, ...args, ...files),
  };
};

const packageForWindows = tool('package: windows', join(root, 'scripts', 'package.mjs'), '--windows');
/** Processes, disks and desktops are late now and then: a failed test is retried once, and named. */
const onceMore = '--retry=1';
/** A line for each test: which ones were run, and which ones can't be here and why. */
const eachByName = '--reporter=verbose';

/**
 * It keeps about one core busy, and nothing in it fails for being slow, so that another may run beside it.
 * @type {(step: Step, ...after: string[]) => Step}
 */
const light = (step, ...after) => ({ ...step, light: true, after });

/** In this order: what is fast comes first. @type {Step[]} */
export const steps = [
  light(tool('types: main, scripts, tests', bin('typescript/bin/tsc'), '-p', 'tsconfig.json')),
  light(
    tool(
      'types: renderer',
      bin('svelte-check/bin/svelte-check'),
      '--tsconfig',
      'tsconfig.renderer.json',
      '--fail-on-warnings',
    ),
  ),
  light(tool('lint', bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings', '.')),
  light(
    tool(
      'layering',
      bin('dependency-cruiser/bin/dependency-cruiser.mjs'),
      'main',
      'preload',
      'renderer',
      'gallery',
      'scripts',
      'tools',
      'shared',
      'strings',
      'test',
      '--config',
      '.dependency-cruiser.mjs',
    ),
  ),
  // Each regular expression is taken apart, in one thread.
  light(vitest('patterns')),
  { ...vitest('unit', onceMore), command: besideOtherShells },
  {
    // The same inputs each time: what is new is looked for by `npm run fuzz`.
    ...tool('fuzz', join(root, 'test', 'fuzz', 'main.ts'), '--seconds', '20', '--seed', '1'),
    faults: () => faultsOfFuzz(join(root, 'test-output', 'fuzz')),
  },
  vitest('service', onceMore),
  vitest('integration', onceMore),
  vitest('deliveries', onceMore),
  vitest('faults', onceMore),
  vitest('answers', onceMore),
  { ...vitest('network', onceMore), command: behindAProxy },
  { ...vitest('interop', onceMore, eachByName), command: otherPeoplesClients },
  { ...vitest('rgw', onceMore), command: realObjectStore },
  light({ ...vitest('cli', onceMore), command: packagesOfTheCommand }),
  light({ name: 'audit: packages', command: dependencyAudit }),
  light({ name: 'audit: electron', command: electronIsCurrent }),
  light(tool('package', join(root, 'scripts', 'package.mjs'), '--for-tests')),
  // The longest of all, with waiting in it: all that are left but the last run beside it.
  light(onDesktop('e2e', '--project', 'e2e'), 'package'),
  light(onDesktop('gallery', '--project', 'gallery')),
  light({ ...packageForWindows, command: whereWindowsCanBePacked }, 'package'),
  light({ ...vitest('packed', onceMore), command: packedForOtherSystems }, packageForWindows.name),
  { ...vitest('installed', onceMore), again: undefined, command: installedPackage },
  // `npm test -- security`: packs, then runs what docs/security.md names, a line for each point.
  { name: 'security: audit of packages', byNameOnly: true, command: dependencyAudit },
  { name: 'security: audit of electron', byNameOnly: true, command: electronIsCurrent },
  { ...tool('security: package', join(root, 'scripts', 'package.mjs'), '--for-tests'), byNameOnly: true },
  { ...onDesktop('security', ...securityTests), again: undefined, byNameOnly: true },
];

/**
 * A step on the packaged app. `which`: the tests, as Vitest is asked for them.
 * @param {string} name @param {string[]} which @returns {Step}
 */
function onDesktop(name, ...which) {
  const report = join(root, 'test-output', `${name}.json`);
  return {
    name,
    report,
    command: () => inDesktopSession(report, ...which),
    again: (files) => onDesktop(`${name}-again`, ...which, ...files),
  };
}

async function packagesOfTheCommand() {
  if (process.platform === 'win32') return { unable: 'its packages are tried on Linux and macOS' };
  // It needs packages, which are there by now.
  const { packageCommand } = await import('../cli/packages.mjs');
  for (const line of await packageCommand({ quick: true })) say(`  ${line}`);
  return vitest('cli', onceMore, eachByName).command();
}

async function besideOtherShells() {
  const [lacking] = await ensureSystem(['shells']);
  // The tests that need one say so.
  if (lacking) say(`  Some shells can’t be installed here: ${lacking.missing.join(' ')}`);
  return vitest('unit', onceMore).command();
}

async function behindAProxy() {
  const [missing] = process.platform === 'linux' ? await ensureSystem(['proxy']) : [];
  if (process.platform !== 'linux') return { unable: 'network namespaces are Linux’s' };
  if (missing)
    return {
      unable: `system packages are missing and can’t be installed here: ${missing.missing.join(' ')}`,
    };
  return vitest('network', onceMore).command();
}

async function otherPeoplesClients() {
  const [lacking] = await ensureSystem(['interop']);
  // Those of npm run anyway; each of the others says by its name what is missing.
  if (lacking) say(`  Some clients can’t be installed here: ${lacking.missing.join(' ')}`);
  return vitest('interop', onceMore, eachByName).command();
}

async function realObjectStore() {
  const lacking = ['S3_ENDPOINT', 'S3_REGION', 'S3_ROLE_ARN', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'].filter(
    (name) => !process.env[name],
  );
  if (lacking.length > 0)
    return { unable: `no real object store is named in the environment (${lacking.join(', ')})` };
  return vitest('rgw', onceMore).command();
}

async function whereWindowsCanBePacked() {
  if (process.platform !== 'linux') return { unable: 'it is packed for other systems on Linux' };
  try {
    await electronForWindows();
  } catch (error) {
    return { unable: error instanceof Error ? error.message : String(error) };
  }
  return packageForWindows.command();
}

async function packedForOtherSystems() {
  if (!existsSync(join(root, outputs.windowsTrial)))
    return { unable: 'nothing is packed for Windows here: see the step "package: windows"' };
  return vitest('packed', onceMore).command();
}

async function installedPackage() {
  const unable = await whyNotInstallable();
  if (unable) return { unable };
  const missing = await ensureSystem(['display', 'electron', 'keychain', 'browser', 'installed']);
  if (missing.length > 0) return { unable: lackingPackages(missing) };
  await ensureDeb();
  return vitest('installed', onceMore).command();
}

/**
 * Runs tests on the packaged app.
 * @param {string} report where the report goes
 * @param {string[]} which as Vitest is asked for them
 */
async function inDesktopSession(report, ...which) {
  await ensureSystem(['shells']);
  const missing = await ensureSystem(['display', 'electron', 'keychain', 'browser', 'proxy']);
  if (missing.length > 0) return { unable: lackingPackages(missing) };
  if (!existsSync(join(root, outputs.forTests)))
    return { unable: 'there is no packaged app for tests: run the step "package" first' };
  const retried = retriedTestsReporter(report);
  const session = desktopSession([
    node(),
    bin('vitest/vitest.mjs'),
    'run',
    ...which,
    onceMore,
    eachByName,
    '--reporter=json',
    `--reporter=${retried.path}`,
    `--outputFile.json=${report}`,
  ]);
  return { run: session.run, env: { ...session.env, ...retried.env } };
}

/** @param {{ name: string, missing: string[] }[]} groups */
function lackingPackages(groups) {
  const lines = groups.map((group) => `${group.name} (${group.missing.join(' ')})`);
  return `system packages are missing and can’t be installed here: ${lines.join(', ')}`;
}
