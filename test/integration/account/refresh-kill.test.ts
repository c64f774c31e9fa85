import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OAuthAccounts } from '../../../main/account/account-service.ts';
import { accountIdOf } from '../../../main/account/model/model.ts';
import { keptAccountSchema } from '../../../main/account/tokens/tokens.ts';
import { createVault } from '../../../main/account/vault/encrypted-vault.ts';
import { systemClock } from '../../../main/ports.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { settingsInMemory, testCipher } from '../../unit/account/stand-ins.ts';
import { type RefreshStep, refreshSteps } from './refresh-steps.ts';
import { startRotatingService } from './rotating-service.ts';

let folder: string;
let vaultFile: string;
let service: Awaited<ReturnType<typeof startRotatingService>>;
beforeEach(async () => {
  folder = temporaryFolder();
  vaultFile = join(folder, 'vault.json');
});
afterEach(async () => {
  await service.stop();
});

const openVault = () => createVault({ file: vaultFile, cipher: testCipher() });
const key = () => `tokens:${accountIdOf(service.baseUrl)}`;

/** A stored sign-in whose access token has expired. */
function keepSignIn(): void {
  const tokens = {
    accessToken: 'access-0000',
    refreshToken: 'refresh-0000',
    issuedAt: Date.now(),
    accessEndsAt: Date.now() + 3_600_000,
    refreshEndsAt: null,
    clientId: 'dcr:1',
  };
  const address = { baseUrl: service.baseUrl, authUrl: service.baseUrl };
  openVault().set(key(), JSON.stringify({ address, tokens }));
  service.expireAccessToken();
}

/** Runs a refresh in a process, kills it at a step, and waits for its end. */
async function killAt(step: RefreshStep): Promise<void> {
  const input = { baseUrl: service.baseUrl, accountId: accountIdOf(service.baseUrl), vaultFile, step };
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'refreshing-process.ts'), JSON.stringify(input)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const processEnd = new Promise<string | null>((resolve) =>
    child.on('close', (_code, signal) => resolve(signal)),
  );
  for await (const line of createInterface({ input: child.stdout })) {
    expect(line).toBe(step);
    if (step === 'request sent, no answer yet') await expect.poll(() => service.refreshes()).toHaveLength(1);
    child.kill('SIGKILL');
  }
  expect(await processEnd).toBe('SIGKILL');
}

/** Starts Tilelift again and calls the service like a continuing job. */
async function startAgain() {
  const refreshCount = service.refreshes().length;
  const account = new OAuthAccounts({
    fetch,
    clock: systemClock,
    openBrowser: async () => {},
    vault: openVault(),
    settings: settingsInMemory({ currentService: service.baseUrl }),
  });
  await account.start();
  const [call] = await Promise.allSettled([
    account.serviceFor(accountIdOf(service.baseUrl)).listAssets(),
    account.serviceFor(accountIdOf(service.baseUrl)).listAssets(),
  ]);
  const state = account.state();
  account.stop();
  return { call: call?.status, state, tried: service.refreshes().slice(refreshCount) };
}

describe('kill during a refresh', () => {
  /** Steps at which a kill loses the new refresh token after the service has used up the old one. */
  const beyondHelp: readonly RefreshStep[] = [
    'request sent, no answer yet',
    'answered, nothing written',
    'file half written',
  ];
  const cases = [
    ...refreshSteps.map((step) => ({ rotation: 'strict' as const, step })),
    ...beyondHelp.map((step) => ({ rotation: 'lenient' as const, step })),
  ];

  it.each(cases)(
    'kill during a refresh: keeps the sign-in after $step with $rotation rotation if a stored refresh token is valid',
    async ({ rotation, step }) => {
      service = await startRotatingService(rotation);
      keepSignIn();
      service.holdAnswersBack(step === 'request sent, no answer yet');
      await killAt(step);
      service.holdAnswersBack(false);

      const storedToken = keptAccountSchema.parse(JSON.parse(openVault().get(key()) ?? 'null')).tokens
        .refreshToken;
      const isAccepted = storedToken !== null && service.accepted().includes(storedToken);
      expect(isAccepted).toBe(rotation === 'lenient' || !beyondHelp.includes(step));

      service.expireAccessToken();
      const { call, state, tried: attemptedRefresh } = await startAgain();
      expect(attemptedRefresh).toEqual([{ token: storedToken, status: isAccepted ? 200 : 400 }]);
      expect(call).toBe(isAccepted ? 'fulfilled' : 'rejected');
      if (isAccepted) expect(state.kind).toBe('signed-in');
      else expect(state).toMatchObject({ kind: 'signed-out', error: { code: 'invalid-credentials' } });

      // The result lasts: the next start uses the same tokens.
      if (isAccepted) {
        service.expireAccessToken();
        expect((await startAgain()).call).toBe('fulfilled');
      }
    },
  );
});
