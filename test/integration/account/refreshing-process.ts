/**
 * Refreshes its access token: at the named step it prints the step's name and blocks until it is killed.
 * Prints `done` at the end.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { z } from 'zod';
import { OAuthAccounts } from '../../../main/account/account-service.ts';
import { createVault } from '../../../main/account/vault/encrypted-vault.ts';
import { systemClock } from '../../../main/ports.ts';
import { settingsInMemory, testCipher } from '../../unit/account/stand-ins.ts';
import { refreshSteps } from './refresh-steps.ts';

const { baseUrl, accountId, vaultFile, step } = z
  .object({ baseUrl: z.string(), accountId: z.string(), vaultFile: z.string(), step: z.enum(refreshSteps) })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

function say(word: string): void {
  fs.writeSync(1, `${word}\n`);
}

/** Blocks the whole thread, unaffected by promises and signals, so files stay unchanged. */
function standStill(): never {
  say(step);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error('unreachable');
}

/** The vault isn't accessed before the refresh. */
let hasAnswered = false;
const { writeFileSync, renameSync } = fs;
fs.writeFileSync = (file, data, options) => {
  if (hasAnswered && step === 'file half written') {
    writeFileSync(file, String(data).slice(0, String(data).length / 2), options);
    standStill();
  }
  writeFileSync(file, data, options);
  if (hasAnswered && step === 'file written, not flushed') standStill();
};
fs.renameSync = (oldPath, newPath) => {
  if (hasAnswered && step === 'file flushed, not in place') standStill();
  renameSync(oldPath, newPath);
  if (hasAnswered && step === 'file in place, folder not flushed') standStill();
};
syncBuiltinESMExports();

const account = new OAuthAccounts({
  fetch: async (input, init) => {
    const isRefresh = String(input).endsWith('/oauth/token');
    if (isRefresh && step === 'before the request') standStill();
    if (isRefresh && step === 'request sent, no answer yet') say(step);
    const response = await fetch(input, init);
    if (!isRefresh) return response;
    const text = await response.text();
    hasAnswered = true;
    if (step === 'answered, nothing written') standStill();
    return new Response(text, response);
  },
  clock: systemClock,
  openBrowser: async () => {},
  vault: createVault({ file: vaultFile, cipher: testCipher() }),
  settings: settingsInMemory({ currentService: baseUrl }),
});
await account.serviceFor(accountId).listAssets();
if (step === 'after the write') standStill();
say('done');
account.stop();
