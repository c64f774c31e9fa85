import { beforeEach, expect, it, vi } from 'vitest';
import type { HandlerParts } from '../../../../main/ipc/handlers/handlers.ts';
import { noPolicy } from '../../../../main/policy/policy.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';

const clipboard = vi.hoisted(() => ({ writeText: vi.fn() }));
vi.mock('electron', () => ({ clipboard, dialog: {}, nativeTheme: {} }));
const { createHandlers } = await import('../../../../main/ipc/handlers/handlers.ts');

const addressOf = (name: string) => ({
  baseUrl: `https://api.${name}.example`,
  authUrl: `https://${name}.example`,
});
const [shownAccount, otherAccount] = ['shown', 'other'].map((id) => ({ id, address: addressOf(id) }));
const leftAccount = { id: 'left', baseUrl: addressOf('left').baseUrl };

/** Three services with one account each: shown, signed in and signed out. */
function setUp(isSignedIn = true) {
  const openBrowser = vi.fn(async () => {});
  const accounts = {
    state: () => (isSignedIn ? { kind: 'signed-in', account: shownAccount } : { kind: 'signed-out' }),
    accounts: () => [...(isSignedIn ? [shownAccount] : []), otherAccount],
    signedOutAccounts: () => [leftAccount],
  };
  const parts = {
    tilelift: { accounts, jobs: { ofAsset: () => [] } },
    ...{ settings: settingsInMemory(), policy: noPolicy, openBrowser },
    presets: [{ name: 'Left', ...addressOf('left') }],
  };
  return { handlers: createHandlers(parts as unknown as HandlerParts), openBrowser };
}

beforeEach(() => clipboard.writeText.mockReset());

const asset = { name: 'Quay', assetType: 'IMAGERY', createdAt: null } as const;

it.each([
  [null, 'https://shown.example/assets/7'],
  ['shown', 'https://shown.example/assets/7'],
  ['other', 'https://other.example/assets/7'],
  ['left', 'https://left.example/assets/7'],
])('the page of an asset of account %s is on its own service', async (accountId, page) => {
  const { handlers, openBrowser } = setUp();
  await handlers['assets.open']({ id: 7, accountId });
  expect(openBrowser).toHaveBeenCalledExactlyOnceWith(page);
  await handlers['assets.share']({ id: 7, accountId, ...asset });
  await handlers['assets.copyShared']('link');
  expect(clipboard.writeText).toHaveBeenLastCalledWith(page);
});

it('the page of an asset opens while the shown account is signed out', async () => {
  const { handlers, openBrowser } = setUp(false);
  await handlers['assets.open']({ id: 7, accountId: 'other' });
  expect(openBrowser).toHaveBeenCalledWith('https://other.example/assets/7');
});

it('the page of an asset of an unknown account is refused', async () => {
  const { handlers, openBrowser } = setUp();
  const refusal = { code: 'not-signed-in' };
  for (const call of ['assets.open', 'assets.share'] as const)
    await expect(
      (async () => handlers[call]({ id: 7, accountId: 'gone', ...asset }))(),
    ).rejects.toMatchObject(refusal);
  expect(openBrowser).not.toHaveBeenCalled();
});
