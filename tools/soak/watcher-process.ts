/**
 * A complete Tilelift without a window that may be killed at any moment, on a folder that survives. It signs
 * in and makes its rules if necessary, and then watches.
 */
import { composeTilelift } from '../../main/app.ts';
import { createLog, silentLog } from '../../main/log.ts';
import { systemClock } from '../../main/ports.ts';
import { parseServiceAddress } from '../../main/service/service-address.ts';
import { settingsInFile } from '../../main/settings-file.ts';
import { defaultTiming } from '../../main/watch/model/rule.ts';
import { inEnglish } from '../../strings/sayer.ts';
import { allowInBrowser } from '../../test/service/person.ts';
import { aesCipher } from '../chaos/kept-in-files.ts';
import {
  orderSchema,
  vaultKeyVariable,
  type WatcherMessage,
  type WatcherOrder,
  watcherInput,
} from './watcher-messages.ts';

const input = watcherInput.parse(JSON.parse(process.argv[2] ?? '{}'));

const tilelift = composeTilelift({
  folder: input.folder,
  machine: input.machine ?? null,
  clock: systemClock,
  fetch,
  openBrowser: async (link) => {
    await tilelift.accounts.handleCallback(await allowInBrowser(link));
  },
  cipher: aesCipher(process.env[vaultKeyVariable] ?? ''),
  settings: settingsInFile(input.folder),
  log: input.logFolder ? createLog({ folder: input.logFolder, level: 'info' }) : silentLog,
  uploadWorker: new URL('../../main/workers/upload-worker.ts', import.meta.url),
  scanWorker: new URL('../../main/workers/scan-worker.ts', import.meta.url),
  pollMs: 500,
  watchTiming: { ...defaultTiming, ...input.timing },
});

let isMakingRules = false;
await tilelift.start();
const { accounts, watch } = tilelift;
accounts.onChange(staySignedIn);
staySignedIn();

/** Signs in whenever the sign-in is over, because a kill during a refresh may invalidate it. */
function staySignedIn(): void {
  const state = accounts.state();
  const { baseUrl, authUrl } = input;
  if (state.kind === 'signed-out') void accounts.signIn(parseServiceAddress({ baseUrl, authUrl }));
  if (state.kind !== 'signed-in' || isMakingRules) return;
  isMakingRules = true;
  void makeRules(state.account.id);
}

async function makeRules(accountId: string): Promise<void> {
  const knownIds = new Set(watch.rules().map(({ rule }) => rule.id));
  for (const rule of input.rules)
    if (!knownIds.has(rule.id)) await watch.save({ ...rule, accountId }, input.takeExisting);
  // Of two computers with one folder, one stands by.
  const isWatching = () =>
    watch.rules().every(({ state, lastLookAt }) => lastLookAt !== null || state === 'standing-by');
  if (isWatching()) tellWatching();
  else watch.onChange(() => isWatching() && tellWatching());
}

if (process.send) {
  setInterval(tellHeld, 1_000).unref();
  process.on('message', (message) => void carryOut(orderSchema.parse(message)));
  // The parent process has ended.
  process.on('disconnect', () => process.exit(0));
}

function tellHeld(): void {
  for (const { rule } of watch.rules())
    for (const { path, state, why } of watch.sources(rule.id))
      if (state === 'held') report({ kind: 'held', ruleId: rule.id, path, why: inEnglish.sayAll(why) });
}

async function carryOut(order: WatcherOrder): Promise<void> {
  if (order.kind === 'choose') return watch.act(order.ruleId, order.path, order.choice);
  try {
    const knownRule = watch.rules().find(({ rule }) => rule.id === order.ruleId);
    if (!knownRule) throw new Error('no such rule');
    const edited = { ...knownRule.rule, ignore: order.ignore };
    const { newlyTaken } = await watch.dryRun(edited);
    await watch.save(edited, false);
    report({ kind: 'edited', concerned: newlyTaken ?? 0 });
  } catch (error) {
    report({ kind: 'not-edited', error: String(error) });
  }
}

function report(tiding: WatcherMessage): void {
  if (process.connected) process.send?.(tiding);
}

process.on('SIGTERM', () => {
  void tilelift.stop().then(() => process.exit(0));
});

function tellWatching(): void {
  process.stdout.write('watching\n');
}
