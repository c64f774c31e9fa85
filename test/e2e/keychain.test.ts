import { execFile } from 'node:child_process';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginJourney, type Journey, signIn } from './support/journey.ts';
import { filesHolding } from './support/search-secrets.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

const execute = promisify(execFile);
let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(async () => {
  await journey.end();
});

const vaultFile = () => join(journey.userData, 'vault.json');
const signedIn = ({ page }: TileliftWindow) => page.getByRole('heading', { name: 'Uploads' }).waitFor();
const signedOut = ({ page }: TileliftWindow) =>
  page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
const backend = ({ app }: TileliftWindow) =>
  app.evaluate(({ safeStorage }) => safeStorage.getSelectedStorageBackend());

describe('desktop with a keychain', () => {
  it('keeps the encrypted sign-in after a restart', async () => {
    const first = await journey.launch();
    expect(await backend(first)).toBe('gnome_libsecret');
    await signIn(journey, first);
    await first.close();
    expect(await readFile(vaultFile(), 'utf8')).toContain('tokens:');
    expect(await filesHolding(journey.userData, journey.service.control.issuedSecrets())).toEqual([]);

    const second = await journey.launch();
    await signedIn(second);
    await second.page.getByRole('button', { name: 'Settings' }).click();
    await second.page.getByText('stored encrypted, using this computer’s keychain').waitFor();
  });

  it('signs out once, with the reason, if the keychain was recreated', async () => {
    const first = await journey.launch();
    await signIn(journey, first);
    await first.close();
    await forgetKey();

    const second = await journey.launch();
    await signedOut(second);
    await second.page.getByText('this computer’s keychain has changed').waitFor();
    expect(await readFile(vaultFile(), 'utf8')).not.toContain('tokens:');
    await second.close();
    const third = await journey.launch();
    await signedOut(third);
    expect(await third.page.getByText('keychain has changed').count()).toBe(0);
  });

  it('keeps encrypted data while the keychain is locked and reads it once unlocked', async () => {
    const first = await journey.launch();
    await signIn(journey, first);
    await first.close();
    const sealed = await readFile(vaultFile(), 'utf8');

    await lockKeychain();
    const second = await journey.launch();
    await signedOut(second);
    await second.page.getByText('This computer’s keychain is locked').waitFor();
    await second.close();
    expect(await readFile(vaultFile(), 'utf8')).toBe(sealed);

    await unlockKeychain();
    await signedIn(await journey.launch());
  });
});

describe('desktop without a keychain', () => {
  const bare = {
    args: ['--password-store=basic'],
    env: { XDG_CURRENT_DESKTOP: '', DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
  };

  it('names what to install, writes no secret to disk, and is signed out after a restart', async () => {
    const first = await journey.launch(bare);
    expect(await backend(first)).toBe('basic_text');
    await first.page.getByText('This computer has no keychain').waitFor();
    await first.page.getByText(/Install GNOME Keyring or KWallet/).waitFor();
    await signIn(journey, first);
    await first.page.getByRole('button', { name: 'Settings' }).click();
    await first.page.getByText('Not available', { exact: true }).waitFor();
    await first.close();

    await expect(access(vaultFile())).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await filesHolding(journey.userData, journey.service.control.issuedSecrets())).toEqual([]);
    await signedOut(await journey.launch(bare));
  });
});

const collection = '/org/freedesktop/secrets/collection/login';

async function lockKeychain(): Promise<void> {
  await askKeychain('Service.Lock', `['${collection}']`);
}

/** Starts a daemon with the same keychain, unlocked, as scripts/test/desktop-session.mjs does. */
async function unlockKeychain(): Promise<void> {
  const home = process.env.XDG_CACHE_HOME ?? '';
  const control = (await readdir(home)).find((name) => name.startsWith('keyring-'));
  const daemon = 'gnome-keyring-daemon --replace --unlock --components=secrets --daemonize';
  await execute('sh', ['-c', `printf 'test\\n' | ${daemon}`], {
    env: { ...process.env, GNOME_KEYRING_CONTROL: join(home, control ?? '') },
  });
}

/** Takes Tilelift's key out of the keychain, and no other: the next start makes another one. */
async function forgetKey(): Promise<void> {
  const searchResult = await askKeychain('Service.SearchItems', "{'application': 'Tilelift'}");
  const items = searchResult.match(/\/org\/freedesktop\/secrets\/collection\/\w+\/\d+/g) ?? [];
  expect(items).toHaveLength(1);
  for (const item of items) await askKeychain('Item.Delete', undefined, item);
}

async function askKeychain(
  method: string,
  input?: string,
  object = '/org/freedesktop/secrets',
): Promise<string> {
  const to = ['--session', '--dest', 'org.freedesktop.secrets', '--object-path', object];
  const call = ['--method', `org.freedesktop.Secret.${method}`, ...(input === undefined ? [] : [input])];
  return (await execute('gdbus', ['call', ...to, ...call])).stdout;
}
