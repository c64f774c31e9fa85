import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import { createGrantedPaths } from '../../../main/ipc/granted-paths.ts';
import type { HandlerParts } from '../../../main/ipc/handlers/handlers.ts';
import { callInputs } from '../../../main/ipc/inputs.ts';
import { noPolicy } from '../../../main/policy/policy.ts';
import { callNames } from '../../../preload/contract.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { settingsInMemory } from '../account/stand-ins.ts';

const dialog = vi.hoisted(() => ({ showOpenDialog: vi.fn(), showMessageBox: vi.fn() }));
vi.mock('electron', () => ({ dialog, clipboard: {}, nativeTheme: {} }));
const { createHandlers } = await import('../../../main/ipc/handlers/handlers.ts');

/** Pages may only use paths that the user granted. */

const secret = '/home/me/.ssh/id_ed25519';
const newAsset = {
  name: 'Town',
  description: '',
  assetType: '3DTILES',
  sourceType: 'CITYGML',
  clampToTerrain: false,
  baseTerrainId: null,
  options: '{}',
  kindKey: null,
  acceptForecast: false,
} as const;
const movingRule = (folder: string) => ({ kind: 'move', folder }) as const;

function setUp() {
  const settings = settingsInMemory();
  const doneCalls: string[] = [];
  const recordCall = (name: string) => async () => {
    doneCalls.push(name);
    return { files: [], bytes: 0, ignored: [], links: [], others: [] };
  };
  const account = { id: 'a', address: { baseUrl: 'https://api.x.example', authUrl: 'https://x.example' } };
  const tilelift = {
    accounts: { state: () => ({ kind: 'signed-in', account }) },
    jobs: {
      add: () => {
        doneCalls.push('jobs.create');
        return 'job';
      },
      forecast: () => null,
      requestOf: () => ({ paths: ['/given/before'] }),
    },
    watch: {
      rules: () => [],
      checkAllowed: async (folder: string) => {
        if (folder.startsWith('/forbidden')) throw new TileliftError('watch-folder-outside');
      },
      save: recordCall('watch.save'),
      dryRun: recordCall('watch.dryRun'),
      isNetworkDrive: async () => false,
    },
    inspector: {
      ask: recordCall('source.inspect'),
      requestPart: async ({ paths }: { readonly paths: readonly string[] }) => ({ paths, inputCrs: null }),
    },
  };
  const granted = createGrantedPaths(() => settings.get().watchRules);
  const pageAsks = { taken: [{ kind: 'source', paths: ['/given/by-the-system'] }] };
  const parts = {
    tilelift,
    thumbnails: { adopt: () => {} },
    settings,
    granted,
    policy: noPolicy,
    presets: [],
    window: () => undefined,
    takeAsks: () => pageAsks.taken,
  };
  const handlers = createHandlers(parts as unknown as HandlerParts);
  return { handlers, granted, settings, done: doneCalls };
}

beforeEach(() => {
  dialog.showOpenDialog.mockReset();
  dialog.showMessageBox.mockReset().mockResolvedValue({ response: 1 });
});

const refusal = { code: 'path-not-given', subject: secret };

describe('S55: a path that was not granted is refused and nothing is done', () => {
  it.each([
    ['source.inspect', { paths: [secret], round: 1 }],
    ['jobs.create', { ...newAsset, paths: [secret] }],
    ['watch.dryRun', aWatchRule({ folder: secret })],
    ['source.folders', secret],
    ['watch.pickFolder', secret],
    ['watch.save', { rule: aWatchRule({ folder: secret }), takeExisting: true }],
  ] as const)('a path that was not granted is refused by %s', async (call, input) => {
    const { handlers, done: doneCalls } = setUp();
    expect(callInputs[call].safeParse(input).success).toBe(true);
    await expect(handlers[call](input as never)).rejects.toMatchObject(refusal);
    expect(doneCalls).toEqual([]);
  });

  it('a folder that was not granted is refused as the folder that a rule moves to', async () => {
    const { handlers, granted, done: doneCalls } = setUp();
    granted.grant(['/given']);
    const rule = aWatchRule({ folder: '/given', afterFailure: movingRule(secret) });
    await expect(handlers['watch.save']({ rule, takeExisting: false })).rejects.toMatchObject(refusal);
    expect(doneCalls).toEqual([]);
  });

  it('no other call accepts a path that was not granted', () => {
    const callsWithInput = callNames.filter((name) =>
      [
        secret,
        [secret],
        { paths: [secret], round: 1 },
        { path: secret },
        { file: secret },
        { folder: secret },
      ].some((input) => callInputs[name].safeParse(input).success),
    );
    // Text that is no path, such as client addresses, ids and searches.
    const otherCalls = callsWithInput.filter(
      (name) =>
        !/^(?:account\.(?:pasteAddress|switch|signOut|forget)|jobs\.|programs\.of|rules\.export|systems\.search|watch\.(?:remove|sources|activity))/.test(
          name,
        ),
    );
    expect(otherCalls).toEqual(['source.inspect', 'source.folders', 'watch.pickFolder']);
  });
});

it('the user grants a path in the system dialog for sources', async () => {
  const { handlers, done: doneCalls } = setUp();
  dialog.showOpenDialog.mockResolvedValue({ filePaths: ['/given/town'] });
  expect(await handlers['source.pick']('folder')).toEqual(['/given/town']);
  await handlers['jobs.create']({ ...newAsset, paths: ['/given/town'] });
  expect(doneCalls).toEqual(['jobs.create']);
});

it('the user grants a path by an earlier upload, which a page knows by its id', async () => {
  const { handlers, done: doneCalls } = setUp();
  expect(await handlers['source.recent']('0d0c4e9e-0e8e-4ae6-a1ce-0d6b3f0a2b11')).toEqual(['/given/before']);
  await handlers['jobs.create']({ ...newAsset, paths: ['/given/before'] });
  expect(doneCalls).toEqual(['jobs.create']);
});

it('the user grants a path in the system dialog for a folder to watch', async () => {
  const { handlers, done: doneCalls } = setUp();
  dialog.showOpenDialog.mockResolvedValue({ filePaths: ['/given/incoming'] });
  await handlers['watch.pickFolder'](null);
  const rule = aWatchRule({ folder: '/given/incoming', afterSuccess: movingRule('done') });
  await handlers['watch.dryRun'](rule);
  await handlers['watch.save']({ rule, takeExisting: true });
  expect(doneCalls).toEqual(['watch.dryRun', 'watch.save']);
  expect(dialog.showMessageBox).not.toHaveBeenCalled();
});

it('the user grants a path through the system, when the page takes the request', async () => {
  const { handlers, done: doneCalls } = setUp();
  await handlers['desktop.take'](null);
  await handlers['jobs.create']({ ...newAsset, paths: ['/given/by-the-system'] });
  expect(doneCalls).toEqual(['jobs.create']);
});

it('the user grants a path by consent to typed folders in a question that no page can answer', async () => {
  const { handlers, done: doneCalls } = setUp();
  dialog.showMessageBox.mockResolvedValue({ response: 0 });
  const rule = aWatchRule({ folder: '/typed', afterSuccess: movingRule('/typed/elsewhere') });
  await handlers['watch.save']({ rule, takeExisting: true });
  expect(dialog.showMessageBox.mock.calls[0]?.[0].detail).toContain('/typed');
  expect(doneCalls).toEqual(['watch.save']);
});

it('saving a rule asks no consent for a folder that the administrator forbids', async () => {
  const { handlers, done: doneCalls } = setUp();
  const rule = aWatchRule({ folder: '/forbidden/typed' });
  await expect(handlers['watch.save']({ rule, takeExisting: true })).rejects.toMatchObject({
    code: 'watch-folder-outside',
  });
  expect(dialog.showMessageBox).not.toHaveBeenCalled();
  expect(doneCalls).toEqual([]);
});
