import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/packages.mjs';
import { run } from '../setup/run.mjs';

/** @typedef {{ run: string[] } | { unable: string }} Planned */

/**
 * Fails if a package at any depth has a known vulnerability of level high or above. Development dependencies
 * count too: Electron ships, and tools make the packages.
 * @returns {Promise<Planned>}
 */
export async function dependencyAudit() {
  const { output } = await npm('audit', '--json');
  const report = jsonIn(output);
  if (!report?.metadata)
    return { unable: `the registry gives no audit: ${report?.message ?? output.trim().slice(0, 200)}` };
  const { high: highCount = 0, critical = 0 } = report.metadata.vulnerabilities;
  if (highCount + critical === 0) return verdict('No known weakness of level high or above.');
  const names = Object.keys(report.vulnerabilities).join(', ');
  return verdict(`Weaknesses: ${highCount} high, ${critical} critical, among ${names}`, 1);
}

/** Fails unless our Electron has the registry's current major version. @returns {Promise<Planned>} */
export async function electronIsCurrent() {
  const { code, output } = await npm('view', 'electron', 'dist-tags.latest');
  if (code !== 0) return { unable: `the registry does not tell Electron’s newest version: ${output.trim()}` };
  const declaredVersion = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies
    .electron;
  const newest = output.trim();
  return major(newest) > major(declaredVersion)
    ? verdict(`Electron ${newest} is out; we ask for ${declaredVersion}.`, 1)
    : verdict(`We ask for Electron ${declaredVersion}; the newest is ${newest}.`);
}

/** @param {string} version */
const major = (version) => Number(/\d+/.exec(version)?.[0]);

/** A command that prints a result. @param {string} text */
const verdict = (text, code = 0) => ({
  run: [process.execPath, '-e', `console.log(${JSON.stringify(text)}); process.exitCode = ${code}`],
});

/** @param {string[]} args */
function npm(...args) {
  const windows = process.platform === 'win32';
  const options = { cwd: root, quiet: true, shell: windows };
  return run(windows ? 'npm.cmd' : 'npm', [...args, '--loglevel=silent'], options);
}

/** The JSON object in npm's output. @param {string} output */
function jsonIn(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
