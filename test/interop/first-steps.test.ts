import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClient, systemProgram } from './run-client.ts';

/** A new user has what `npm run service` prints and the README of the embedded service, nothing else. */

const root = join(import.meta.dirname, '..', '..');
const service = join(root, 'test', 'service');
const shell = systemProgram('curl') && systemProgram('sh');

let folder: string;
let child: ChildProcess;
let printed: string;

/** Starts the service as `npm run service` does, and gives what it prints. */
async function start(...options: readonly string[]): Promise<{ child: ChildProcess; printed: string }> {
  const started = spawn(process.execPath, [join(service, 'run.ts'), ...options], { stdio: 'pipe' });
  let text = '';
  for await (const piece of started.stdout) {
    text += piece;
    if (text.endsWith('-----\n')) break;
  }
  return { child: started, printed: text };
}

/** A block of what is printed, by what its heading says. */
const block = (text: string, heading: string) =>
  text
    .split('\n-----')
    .find((part) => part.includes(heading))
    ?.split('\n')
    .slice(1)
    .join('\n') ?? '';

const inShell = (text: string) =>
  runClient('sh', ['-euc', `cd '${folder}'; set -a; ${block(text, '.env')}\n${block(text, 'with curl')}`]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-first-steps-'));
  ({ child, printed } = await start('--tiling-ms', '300'));
});
afterAll(async () => {
  child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

describe('what a new user finds leads to COMPLETE', () => {
  it.skipIf(!shell)('with curl alone, by the printed lines', async () => {
    const run = await inShell(printed);
    expect(run).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(run.lines.join(''))).toMatchObject({ status: 'COMPLETE', bytes: 13 });
  });

  it.skipIf(!shell)('with curl in the earlier form of the flow, under a path and another name', async () => {
    const other = await start('--flow', 'earlier', '--sign-in-path', '/ion', '--host-name', 'localhost');
    try {
      const run = await inShell(other.printed);
      expect(run).toMatchObject({ code: 0, errors: '' });
      expect(JSON.parse(run.lines.join(''))).toMatchObject({ status: 'COMPLETE' });
    } finally {
      other.child.kill('SIGKILL');
    }
  });

  it('with AWS SDK for JavaScript 2, by the example of the README and the printed .env', async () => {
    const environment = join(folder, '.env');
    await writeFile(environment, block(printed, '.env'));
    const readme = readFileSync(join(service, 'README.md'), 'utf8');
    const example = readme.split("```js\nimport aws from 'aws-sdk'")[1]?.split('```')[0] ?? '';
    const script = `import aws from 'aws-sdk'${example}`;
    const program = spawn(process.execPath, [`--env-file=${environment}`, '--input-type=module', '-'], {
      cwd: root,
      env: { PATH: process.env.PATH, AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE: '1' },
      stdio: 'pipe',
    });
    program.stdin.end(script);
    const [output, errors] = await Promise.all([program.stdout.toArray(), program.stderr.toArray()]);
    expect(errors.join('')).not.toMatch(/Error/);
    expect(output.join('')).toMatch(/^\d+ COMPLETE\n$/);
  });
});

it('the printed .env names what Tilelift reads', () => {
  const environment = block(printed, '.env');
  for (const name of ['TILELIFT_SERVICE_NAME', 'TILELIFT_SERVICE_API', 'TILELIFT_SERVICE_SIGN_IN'])
    expect(environment).toContain(`\n${name}=`);
});
