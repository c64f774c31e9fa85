import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jsonLines, type RunningCommand, smallCity, startCommand } from '../integration/cli/run-cli.ts';
import { beginJourney, type Journey, signIn } from './support/journey.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

/** The command `tilelift` next to the packaged desktop: it finds the desktop and hands uploads over to it. */

let journey: Journey;
let window: TileliftWindow;
const commands = new Set<RunningCommand>();

beforeEach(async () => {
  journey = await beginJourney();
  window = await journey.launch();
  await signIn(journey, window);
  // The desktop's journal folder, as the command finds it.
  await mkdir(join(journey.folder, '.config'));
  await symlink(journey.userData, join(journey.folder, '.config', 'Tilelift'));
});
afterEach(async () => {
  for (const { child } of commands) child.kill('SIGKILL');
  commands.clear();
  await journey.end();
});

function start(...args: string[]): RunningCommand {
  const command = startCommand(args, journey.folder, {});
  commands.add(command);
  return command;
}
async function run(...args: string[]) {
  const { child, ended: result } = start(...args);
  child.stdin.end();
  return result;
}
function holdStorage(): void {
  journey.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 10_000 },
    action: { kind: 'hold' },
  });
}
const last = (stdout: string) => jsonLines(stdout).at(-1);

it('hands an upload over to the desktop, which lists it, and ends with COMPLETE', async () => {
  const status = await run('status', '--json');
  expect(jsonLines(status.stdout)[0]).toMatchObject({ event: 'status', owner: 'desktop' });
  const accounts = await run('accounts', '--json');
  expect(jsonLines(accounts.stdout)[0]).toMatchObject({ service: journey.service.baseUrl, current: true });
  holdStorage();
  const city = await smallCity(journey.folder);
  const following = start('upload', city, '--name', 'Old town', '--json');
  await following.says('"status":"uploading"');

  await window.page.getByText('Old town').first().waitFor();
  journey.service.control.clearFaults();
  const { code, stdout, stderr } = await following.ended;

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('Handing over to the Tilelift app'),
  });
  const [asset] = journey.service.control.assets();
  expect(last(stdout)).toMatchObject({ jobs: [{ status: 'complete', assetId: asset?.id }] });
  await window.page.getByText('Complete', { exact: true }).first().waitFor();
  expect((await run('assets', 'get', String(asset?.id))).stdout).toContain('Old town');
  const again = await run('upload', city, '--name', 'Old town');
  expect(again).toMatchObject({ code: 0, stdout: `Old town: asset ${asset?.id} is complete.\n` });
  expect(journey.service.control.assets()).toHaveLength(1);
  expect(window.complaints).toEqual([]);
});
