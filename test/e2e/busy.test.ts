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
/** The longest that the page may hold up its own frames, ms. */
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
  const before = journey.service.control.requests().length;
  // What starts the upload is over.
  await page.getByText(/left$/).first().waitFor();

  let seen = await watchFrames(page, 1);
  const tasks = await traceDuring(window, join(journey.folder, 'trace.json'), async () => {
    seen = await watchFrames(page, frames);
  });
  const parts = journey.service.control.requests().length - before;
  const own = Math.max(...tasks.map((task) => task.own));
  const wall = Math.max(...tasks.map((task) => task.wall));
  process.stderr.write(
    [
      `${seen.gaps.length} frames in ${(seen.ms / 1000).toFixed(1)} s: median gap ${median(seen.gaps).toFixed(1)} ms, longest ${Math.max(...seen.gaps).toFixed(1)} ms`,
      `${tasks.length} tasks of the page: longest ${own.toFixed(1)} ms of its own, ${wall.toFixed(1)} ms on the clock; ${seen.longTasks.length} long tasks, longest script ${seen.longestScript.toFixed(1)} ms`,
      `${JSON.stringify(seen.messages)} messages; at most ${seen.maxRows} rows drawn; ${parts} requests to the service meanwhile`,
      '',
    ].join('\n'),
  );

  expect(parts).toBeGreaterThan(0);
  expect(seen.maxRows).toBeGreaterThan(5);
  expect(seen.maxRows).toBeLessThan(100);
  expect(seen.travelled).toBeGreaterThan(5_000);
  expect(tasks.length).toBeGreaterThan(frames);
  expect(own).toBeLessThan(longest);
  expect(seen.messages['jobs.changed']).toBeGreaterThan(0);
  for (const count of Object.values(seen.messages))
    expect(count).toBeLessThanOrEqual((seen.ms / 1000) * 10 + 1);
  expect(window.complaints).toEqual([]);
});
