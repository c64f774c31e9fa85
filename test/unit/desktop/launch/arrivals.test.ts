import { EventEmitter } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { watchForSources } from '../../../../main/desktop/launch/arrivals.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { manualClock } from '../../account/stand-ins.ts';

let folder: string;
let flight: string;
let raster: string;
beforeEach(async () => {
  folder = temporaryFolder();
  flight = join(folder, 'Flight');
  raster = join(folder, 'dem.tif');
  await mkdir(flight);
  await writeFile(raster, 'x');
});

function program(...launchArguments: string[]) {
  const app = Object.assign(new EventEmitter(), { getAppPath: () => join(folder, 'app'), isPackaged: true });
  const clock = manualClock();
  const sources = watchForSources(app as unknown as App, ['/opt/tilelift', ...launchArguments], clock);
  const onPaths = vi.fn();
  return {
    given: onPaths,
    listen: () => sources.listen(onPaths),
    openFile: (path: string) => {
      const event = { preventDefault: vi.fn() };
      app.emit('open-file', event, path);
      expect(event.preventDefault).toHaveBeenCalledOnce();
    },
    launchAgain: (...args: string[]) => app.emit('second-instance', {}, ['/opt/tilelift', ...args]),
    pass: () => clock.advance(1_000),
    isWaiting: () => clock.sleepers() > 0,
  };
}

const handedOver = ({ given: onPaths }: ReturnType<typeof program>) =>
  vi.waitFor(() => {
    expect(onPaths).toHaveBeenCalled();
    return onPaths.mock.calls;
  });

it('paths from the system wait for the listener at the first launch', async () => {
  const startedProgram = program(flight);
  expect(startedProgram.isWaiting()).toBe(false);
  startedProgram.listen();
  startedProgram.pass();
  expect(await handedOver(startedProgram)).toEqual([[[flight]]]);
});

it('paths from the system arrive together when opened one by one at the same moment', async () => {
  const startedProgram = program();
  startedProgram.listen();
  startedProgram.openFile(flight);
  startedProgram.openFile(raster);
  startedProgram.pass();
  expect(await handedOver(startedProgram)).toEqual([[[flight, raster]]]);
});

it('paths from the system arrive from a second launch, without missing files', async () => {
  const startedProgram = program();
  startedProgram.listen();
  startedProgram.launchAgain('--flag', join(folder, 'gone'), raster);
  startedProgram.pass();
  expect(await handedOver(startedProgram)).toEqual([[[raster]]]);
});

it('paths from the system may be empty', () => {
  const startedProgram = program('--background');
  startedProgram.listen();
  startedProgram.launchAgain('relative/path');
  expect(startedProgram.isWaiting()).toBe(false);
});
