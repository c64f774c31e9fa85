import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { median } from '../../tools/bench/numbers.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';
import { writeOldJobs } from './support/old-jobs.ts';
import { traceDuring } from './support/page-trace.ts';
import { watchFrames } from './support/watch-frames.ts';

const gib = 1024 ** 3;
const jobs = 1_000;
/** Frames looked at while the list scrolls. */
const frames = 400;
/** Longest task of the page, ms. */
const longest = 50;

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney({ keepObjects: 'discard' });
});
afterEach(async () => {
  await journey.end();
});

it('scrolls through 1,000 jobs during an upload at full speed without delaying a frame by 50 ms', {
  timeout: 150_000,
}, async () => {
  await writeOldJobs(journey.userData, jobs);
  const source = join(journey.folder, 'Ortho');
  await mkdir(source);
  const file = await open(join(source, 'ortho.tif'), 'w');
  await file.truncate(40 * gib);
  await file.close();

  const window = await journey.launch();
  await signIn(journey, window);
  await dropAndUpload(window, source);
  const { page } = window;
  await page.locator('[data-testid=job][data-status=uploading]').waitFor();
  const requestCount = journey.service.control.requests().length;
  // Skip the frames of the upload's start.
  await page.getByText(/left$/).first().waitFor();

  let frameTimes = await watchFrames(page, 1);
  const tasks = await traceDuring(window, join(journey.folder, 'trace.json'), async () => {
    frameTimes = await watchFrames(page, frames);
  });
  const parts = journey.service.control.requests().length - requestCount;
  const own = Math.max(...tasks.map((task) => task.own));
  const wall = Math.max(...tasks.map((task) => task.wall));
  process.stderr.write(
    [
      `${frameTimes.gaps.length} frames in ${(frameTimes.ms / 1000).toFixed(1)} s: median gap ${median(frameTimes.gaps).toFixed(1)} ms, longest ${Math.max(...frameTimes.gaps).toFixed(1)} ms`,
      `${tasks.length} tasks of the page: longest ${own.toFixed(1)} ms of its own, ${wall.toFixed(1)} ms on the clock; ${frameTimes.longTasks.length} long tasks, longest script ${frameTimes.longestScript.toFixed(1)} ms`,
      `${JSON.stringify(frameTimes.messages)} messages; at most ${frameTimes.maxRows} rows drawn; ${parts} requests to the service meanwhile`,
      '',
    ].join('\n'),
  );

  expect(parts).toBeGreaterThan(0);
  expect(frameTimes.maxRows).toBeGreaterThan(5);
  expect(frameTimes.maxRows).toBeLessThan(100);
  expect(frameTimes.travelled).toBeGreaterThan(5_000);
  expect(tasks.length).toBeGreaterThan(frames);
  expect(own).toBeLessThan(longest);
  expect(frameTimes.messages['jobs.changed']).toBeGreaterThan(0);
  for (const count of Object.values(frameTimes.messages))
    expect(count).toBeLessThanOrEqual((frameTimes.ms / 1000) * 10 + 1);
  expect(window.complaints).toEqual([]);
});
