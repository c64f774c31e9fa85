import { describe, expect, it, vi } from 'vitest';
import { busyJobs, makeJob, manyJobs, queuedJobs } from '../../../../gallery/samples/sample-jobs.ts';
import { waitingJobs } from '../../../../gallery/samples/sample-waiting-jobs.ts';
import { commandIds } from '../../../../main/desktop/window/menu-template.ts';
import type { JobView } from '../../../../preload/contract.ts';
import { everything } from '../../../../renderer/screens/palette/everything.ts';
import type { Stores } from '../../../../renderer/state/stores.ts';
import { queueChoices, rowChoices } from '../../../../renderer/state/uploads/choices.ts';
import { rowActionNames } from '../../../../renderer/state/uploads/job-actions.ts';
import { queueOf } from '../../../../renderer/state/uploads/queue-rows.ts';
import { jobActions } from '../../../../shared/job-status.ts';
import { shortcuts } from '../../../../shared/shortcuts.ts';

const now = Date.UTC(2026, 10, 20);
const states = [...busyJobs(now), ...queuedJobs(now, 12), ...waitingJobs(now)].map((job, index) => ({
  ...job,
  id: `${index}`,
}));

function palette(list: readonly JobView[] = states) {
  const jobs = { list, request: null, openedId: null };
  const stores = {
    account: { lostAccounts: [], isSignedIn: true, accounts: [], currentId: 'a', hasSeveral: false },
    api: {},
    app: { appearance: 'system' },
    assets: { list: [] },
    clock: { now },
    guide: {},
    jobs,
    newAsset: {},
    notices: {},
    rulesImport: {},
    updates: { view: null },
  } as unknown as Stores;
  const command = vi.fn();
  const entries = everything(stores, command, []);
  const run = (id: string) => entries.find((entry) => entry.id === id)?.run();
  return { jobs, command, entries, run, ids: new Set(entries.map(({ id }) => id)) };
}

/** Commands of the view, which the palette covers. */
const viewShortcuts = ['palette', 'preferences', 'find', 'zoom-in', 'zoom-out', 'zoom-natural'];

describe('the palette contains', () => {
  const { entries, ids } = palette();

  it('the palette contains every shortcut and every menu command', () => {
    const shownShortcuts = entries.flatMap(({ shortcut }) => (shortcut ? [shortcut] : []));
    const wantedShortcuts = Object.keys(shortcuts).filter((item) => !viewShortcuts.includes(item));
    expect([...new Set(shownShortcuts)].sort()).toEqual(wantedShortcuts.sort());
    for (const command of commandIds) if (command !== 'palette') expect(ids).toContain(command);
  });

  it.each(queueChoices)('the palette contains %s of all uploads', (choice) =>
    expect(ids).toContain(`queue:${choice}`),
  );

  it.each([...new Set([...rowActionNames, ...jobActions, 'next', 'up', 'down', 'rename', 'show-in-folder'])])(
    '%s of an upload that allows it',
    (action) => expect([...ids].some((id) => id.startsWith(`${action}:`))).toBe(true),
  );

  it('the palette contains every entry of each upload’s context menu', () => {
    const queue = queueOf(states);
    for (const job of states) {
      const { moves, actions, looks: lookChoices } = rowChoices(job, queue);
      for (const choice of [...moves, ...actions, ...lookChoices])
        expect(ids).toContain(`${choice}:${job.id}`);
    }
  });

  it('the palette contains each entry once, with a label', () => {
    expect(ids.size).toBe(entries.length);
    expect(entries.filter(({ label }) => label.trim() === '' || /: $/.test(label))).toEqual([]);
  });

  it('the palette ends labels of actions that ask with an ellipsis', () => {
    const shared = entries.find(({ id }) => id.startsWith('share:'));
    expect(shared?.label).toMatch(/^Share: .+…$/);
    expect(entries.filter(({ label }) => label.includes('…:'))).toEqual([]);
  });
});

it('a palette entry runs where it can be confirmed and undone', () => {
  const { jobs, command, run } = palette();
  const job = states.find(({ actions }) => actions.includes('cancel'));
  run(`cancel:${job?.id}`);
  expect(jobs.request).toEqual({ about: job, choice: 'cancel' });
  run('queue:remove');
  expect(jobs.request).toEqual({ about: 'all', choice: 'remove' });
  expect(command.mock.calls).toEqual([['uploads'], ['uploads']]);
});

it('a palette entry is missing when it would do nothing', () => {
  const { ids } = palette([makeJob({ id: 'x', status: 'complete', createdAt: now, actions: ['remove'] })]);
  expect(ids).not.toContain('queue:pause');
  expect(ids).toContain('queue:remove');
  expect(ids).not.toContain('up:x');
});

it('a palette entry exists only for recent uploads among a thousand', () => {
  const { ids } = palette(manyJobs(now, 1_000));
  expect(ids).toContain('job:many-999');
  expect(ids.size).toBeLessThan(3_000);
});
