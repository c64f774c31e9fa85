import type {
  AccountView,
  CallName,
  Calls,
  EventName,
  Events,
  JobView,
  TileliftBridge,
} from '../../preload/contract.ts';
import { detailsOf, hereOf } from '../samples/assets/asset-details.ts';
import { signedInAs, signedInTo } from '../samples/sample-accounts.ts';
import { deniedError } from '../samples/sample-errors.ts';
import { filesOf } from '../samples/sample-files.ts';
import { historyOf } from '../samples/sample-history.ts';
import { makeJob } from '../samples/sample-jobs.ts';
import { sharedAsset } from '../samples/sample-share.ts';
import { sampleSystems } from '../samples/sample-sources.ts';
import { thumbnailOf } from '../samples/sample-thumbnails.ts';
import type { Scenario } from '../scenario.ts';
import { foundIn, pageOf, playJobs } from './fake-jobs.ts';
import { playLeftOut } from './fake-left-out.ts';
import { placeAs } from './fake-places.ts';
import { playRulesFile } from './fake-rules-file.ts';
import { playWatch } from './fake-watch.ts';
import { Refusal, refuseWith } from './refusal.ts';
import { rehearse } from './rehearse.ts';

type Handlers = { [Name in CallName]: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']> };

/**
 * A bridge that plays a scenario with its own jobs and account, without leaving the page.
 *
 * @param setTime sets the page's clock, ms since the epoch
 */
export function fakeBridge(scenario: Scenario, setTime: (nowMs: number) => void): TileliftBridge {
  const listeners = new Map<EventName, Set<(value: never) => void>>();
  function emit<Name extends EventName>(name: Name, value: Events[Name]): void {
    for (const listener of listeners.get(name) ?? []) listener(value as never);
  }
  const subscribedIds = new Set<number>();
  const assetOf = (id: number) => {
    const match = scenario.assets.ok ? scenario.assets.value.find((asset) => asset.id === id) : undefined;
    if (!match) throw new Refusal(deniedError);
    return match;
  };
  const jobs = new Map(scenario.jobs.map((job) => [job.id, job]));
  let account = scenario.account;
  let bandwidth = scenario.bandwidth;
  let presets = scenario.presets;
  let pageAsks = scenario.pageAsks;
  let background = scenario.background;
  let updates = scenario.updates;
  const watch = playWatch(
    scenario.watch,
    scenario.actError,
    (value) => emit('watch.changed', value),
    (value) => emit('watch.dryRunLooked', value),
  );

  function become(view: AccountView): void {
    account = view;
    emit('account.changed', view);
  }

  function tell(job: JobView): void {
    emit('jobs.changed', { changed: [job], removed: [] });
  }

  function change(job: JobView): void {
    jobs.set(job.id, job);
    tell(job);
  }

  const handlers: Handlers = {
    'app.info': async () => {
      refuseWith(scenario.infoError);
      return scenario.info;
    },
    'app.drawn': async () => {},
    'app.notices': async () => scenario.notices,
    'app.setAppearance': async () => {},
    'app.setLanguage': async () => {},
    'presets.list': async () => presets,
    'presets.save': async (preset) => {
      const index = presets.findIndex(({ id }) => id === preset.id);
      presets = index === -1 ? [...presets, preset] : presets.with(index, preset);
      return presets;
    },
    'presets.remove': async (id) => {
      presets = presets.filter((preset) => preset.id !== id);
      return presets;
    },
    'presets.export': async () => '/home/mara/tilelift-presets.json',
    'presets.import': async () => scenario.importedPresets,
    'app.setCompactRows': async () => {},
    'app.bandwidth': async () => bandwidth,
    'app.setBandwidth': async (view) => {
      bandwidth = view;
    },
    'app.openLogs': async () => refuseWith(scenario.actError),
    'app.copyDiagnostics': async () => {},
    'desktop.take': async () => {
      const pendingAsks = pageAsks;
      pageAsks = [];
      return pendingAsks;
    },
    'network.state': async () => scenario.network,
    'network.answerProxy': async () => {},
    'network.pickCaFile': async () => '/etc/ssl/office-ca.pem',
    'network.forgetCaFile': async () => {},
    'network.allowPlainStorage': async ({ accountId, allowed: isAllowed }) => (isAllowed ? [accountId] : []),
    'account.state': async () => account,
    'account.signIn': async ({ service, accountId }) => {
      if (!service.isPairConfirmed) refuseWith(scenario.pairError);
      const { signedOut: signedOutAccounts } = account;
      const signedInAccounts = account.kind === 'signed-in' ? account.accounts : [];
      become({
        kind: 'waiting-for-browser',
        service,
        account: [...signedInAccounts, ...signedOutAccounts].find(({ id }) => id === accountId)?.name ?? null,
        beside: signedInAccounts
          .filter(
            ({ id, service: otherService }) => id !== accountId && otherService.baseUrl === service.baseUrl,
          )
          .map(({ name }) => name),
        returnsByScheme: true,
        endsAt: Date.now() + 600_000,
        error: null,
        signedOut: signedOutAccounts,
      });
    },
    'account.openAgain': async () => {},
    'account.avoidScheme': async () => {
      if (account.kind === 'waiting-for-browser') become({ ...account, returnsByScheme: false });
    },
    'account.copyLink': async () => {},
    'account.pasteAddress': async () => {
      refuseWith(scenario.pasteError);
      if (account.kind !== 'signed-out') become(signedInTo(account.service));
    },
    'account.cancel': async () =>
      become({
        kind: 'signed-out',
        error: scenario.account.kind === 'starting' ? deniedError : null,
        signedOut: account.signedOut,
      }),
    'account.useAccessToken': async ({ service }) => {
      refuseWith(scenario.tokenError);
      become(signedInTo(service));
    },
    'account.dismissError': async () => {
      if (account.kind === 'signed-in') become({ ...account, error: null });
    },
    'account.switch': async (id) => {
      const chosenAccount =
        account.kind === 'signed-in' && account.accounts.find((candidate) => candidate.id === id);
      if (chosenAccount && account.kind === 'signed-in')
        become({ ...account, id, service: chosenAccount.service });
    },
    'account.signOut': async (id) => {
      const remaining =
        account.kind === 'signed-in' ? account.accounts.filter((candidate) => candidate.id !== id) : [];
      const [current, ...otherAccounts] = remaining;
      become(
        current ? signedInAs(current, ...otherAccounts) : { kind: 'signed-out', error: null, signedOut: [] },
      );
    },
    'account.rename': async ({ id, name }) => {
      if (account.kind !== 'signed-in') return;
      const accounts = account.accounts.map((candidate) =>
        candidate.id === id ? { ...candidate, name: name ?? candidate.service.name } : candidate,
      );
      become({ ...account, accounts });
    },
    'account.forget': async (id) =>
      become({ ...account, signedOut: account.signedOut.filter((candidate) => candidate.id !== id) }),
    'source.pick': async () => ['/data/LoD2_Altstadt'],
    'source.recent': async () => ['/data/LoD2_Altstadt'],
    'source.copyNames': async () => {},
    'source.copyCommand': async () => {},
    'source.inspect': async ({ round }) => {
      const { walkedView } = scenario;
      if (walkedView) {
        emit('source.walked', { round, ...walkedView });
        return new Promise(() => {});
      }
      if (!scenario.source.ok) throw new Refusal(scenario.source.error);
      return scenario.source.value;
    },
    ...playLeftOut(() => (scenario.source.ok ? scenario.source.value.pieces : [])),
    'source.regroup': async () => [],
    'source.leave': async () => {},
    'source.placeAs': async (placement) => placeAs(placement),
    'systems.search': async (text) =>
      sampleSystems.filter(({ code, name }) =>
        `EPSG:${code} ${name}`.toLowerCase().includes(text.trim().toLowerCase()),
      ),
    'assets.list': async () => {
      if (!scenario.assets.ok) throw new Refusal(scenario.assets.error);
      return scenario.assets.value;
    },
    'assets.details': async (id) => {
      refuseWith(scenario.detailsError);
      return detailsOf(assetOf(id));
    },
    'assets.here': async (id) => hereOf(assetOf(id), subscribedIds.has(id)),
    'assets.tell': async ({ id, isSubscribed: isOn }) =>
      void (isOn ? subscribedIds.add(id) : subscribedIds.delete(id)),
    'assets.showSource': async () => refuseWith(scenario.actError),
    'assets.edit': async () => refuseWith(scenario.actError),
    'assets.delete': async () => {
      refuseWith(scenario.actError);
      return true;
    },
    'assets.copyId': async () => {},
    'source.folders': async () => scenario.folders ?? [],
    'assets.share': async (asset) => sharedAsset(asset),
    'assets.copyShared': async () => {},
    'jobs.copySupplierMessage': async () => {},
    'assets.open': async () => refuseWith(scenario.actError),
    'assets.view': async () => refuseWith(scenario.actError),
    'jobs.check': async () => refuseWith(scenario.checkError),
    'jobs.create': async (input) => {
      refuseWith(scenario.createError);
      const job = makeJob({
        ...input,
        id: `job-${jobs.size + 1}`,
        status: 'creating',
        createdAt: Date.now(),
      });
      change(job);
      return job.id;
    },
    'jobs.list': async (place) => {
      if (place) return pageOf(jobs, place);
      rehearse([...jobs.values()], setTime, tell);
      for (const job of scenario.endedJobs) setTimeout(() => change(job), 0);
      return pageOf(jobs, null);
    },
    'jobs.find': async (question) => foundIn(jobs, question),
    'jobs.history': async (id) => {
      refuseWith(scenario.historyError);
      const job = jobs.get(id);
      return job ? historyOf(job) : [];
    },
    'jobs.files': async (id) => {
      const job = jobs.get(id);
      return job ? filesOf(job) : { unfinished: [], done: [], unfinishedCount: 0, doneCount: 0 };
    },
    ...playJobs(jobs, scenario, (event) => emit('jobs.changed', event)),
    'thumbnails.of': async (request) => thumbnailOf(request, scenario),
    'alerts.state': async () => scenario.alerts,
    'alerts.setMail': async () => scenario.alerts,
    'alerts.setWebhook': async () => scenario.alerts,
    'alerts.copyKey': async () => scenario.alerts,
    'alerts.test': async () => '250 OK',
    'alerts.pickHeartbeat': async () => scenario.alerts,
    'alerts.setHeartbeat': async () => scenario.alerts,
    'programs.of': async () => scenario.programs,
    'programs.choose': async () => '/usr/local/bin/register-asset',
    'programs.set': async ({ when, program }) => ({ ...scenario.programs, [when]: program }),
    'background.state': async () => background,
    'background.set': async (view) => {
      background = { ...background, ...view };
      return background;
    },
    'updates.state': async () => updates,
    'updates.set': async (view) => {
      updates = { ...updates, ...view };
      return updates;
    },
    'updates.checkNow': async () => {},
    'updates.restart': async () => {},
    'updates.openPage': async () => {},
    ...watch.handlers,
    ...playRulesFile(scenario.rulesFile),
  };

  if (scenario.moving) {
    setInterval(() => move(jobs, change), 100);
    setInterval(() => watch.move(), 500);
  }

  return {
    async call(name, input) {
      if (scenario.silentCalls.some((silentCall) => silentCall === name)) return new Promise(() => {});
      try {
        return { ok: true, value: await handlers[name](input) };
      } catch (error) {
        if (error instanceof Refusal && error.view) return { ok: false, error: error.view };
        throw error;
      }
    },
    on(name, listener) {
      const subscribers: Set<(value: never) => void> = listeners.get(name) ?? new Set();
      listeners.set(name, subscribers.add(listener));
      return () => subscribers.delete(listener);
    },
    pathOf: (file) => `/data/${file.name}`,
  };
}

function move(jobs: ReadonlyMap<string, JobView>, change: (job: JobView) => void): void {
  for (const job of jobs.values()) {
    if (job.status !== 'uploading' || job.error || job.bytesTotal === null || job.partsTotal === null)
      continue;
    const bytesDone = Math.min(job.bytesTotal, job.bytesDone + 4.2e6);
    const rate = 38e6 + Math.sin(Date.now() / 4000) * 6e6;
    change({
      ...job,
      bytesDone,
      bytesPerSecond: rate,
      partsDone: Math.floor((bytesDone / job.bytesTotal) * job.partsTotal),
      secondsLeft: (job.bytesTotal - bytesDone) / rate,
    });
  }
}
