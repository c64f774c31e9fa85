/**
 * `npm start`: installs dependencies, then runs the main job on the embedded service, in the window or,
 * without a display or with `--terminal`, in the terminal. `--check` checks data instead. Runs on Node 20 or
 * later and starts programs on the project's Node.
 */
import { join } from 'node:path';
import { entryOf } from './setup/entry.mjs';
import { ensurePackages, projectEnvironment, projectNode, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';

const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
const { script, args } = entryOf(process.argv.slice(2), hasDisplay);
const isCheck = script === 'main/command.ts';
const printsReport = isCheck && args.includes('--json');

try {
  await ensurePackages();
  if (script === 'scripts/terminal/main.ts' && !process.argv.includes('--terminal'))
    say('No display here: the same job runs in the terminal.');
  const { code, output } = await run(projectNode(), [join(root, script), ...args], {
    env: projectEnvironment(),
    stdio: printsReport ? ['inherit', 'pipe', 'inherit'] : 'inherit',
  });
  if (printsReport) printReport(output);
  process.exitCode = code;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  // Exit code 1 of a check would mean findings.
  process.exitCode = isCheck ? 3 : 1;
}

/** Prints the report as one JSON document. @param {string} lines the JSON lines of `tilelift check` */
function printReport(lines) {
  for (const line of lines.split('\n').filter(Boolean)) {
    const { version, report } = JSON.parse(line);
    if (report) process.stdout.write(`${JSON.stringify({ version, ...report }, null, 2)}\n`);
  }
}
