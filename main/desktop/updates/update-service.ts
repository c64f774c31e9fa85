import type { UpdatesView } from '../../../preload/contract.ts';
import type { UpdateChannel } from '../../../shared/schemas/settings.ts';
import type { SwitchedOffBy, UpdatePhase } from '../../../shared/updates.ts';
import { toErrorRecord } from '../../errors.ts';
import { createListeners } from '../../listeners.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { Settings, SettingsStore } from '../../settings.ts';
import type { WorkWatch } from '../work.ts';
import {
  installsNow,
  isNewer,
  isUploading,
  nextStep,
  quietMs,
  switchedOffBy,
  type UpdateFacts,
  untilNextCheckMs,
} from './update-policy.ts';

/** Where newer releases come from, and how one takes the place of this one. */
export interface Releases {
  /** False where this copy came by a package or an administrator, who update it too. */
  readonly installs: boolean;
  /**
   * Returns the newest version that the feed offers, which may be older than this one. Throws
   * `update-unreachable`.
   */
  offered(channel: UpdateChannel): Promise<string>;
  /**
   * Fetches what was offered last and checks it. Throws `update-unreachable`, `update-refused`,
   * `update-not-kept`; also when the signal aborts it. Then nothing of it is kept. `onPercent`: whole, 0 to
   * 100.
   */
  download(signal: AbortSignal, onPercent: (percent: number) => void): Promise<void>;
  /**
   * Puts what was downloaded in the place of this program, and starts it if wanted. The program's last act:
   * it waits for nothing.
   */
  install(restart: boolean): void;
}

interface UpdateServiceParts {
  /** The version that runs. */
  readonly version: string;
  /** Whether this build has an address to look for updates. */
  readonly hasFeed: boolean;
  /** Whether an administrator lets Tilelift update itself. */
  readonly allowed: boolean;
  /** Made when it is first needed: loading it takes time that a start does not have. */
  readonly releases: () => Promise<Releases>;
  readonly work: Pick<WorkWatch, 'now' | 'onChange'>;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly log: Log;
}

export interface UpdateService {
  phase(): UpdatePhase;
  off(): SwitchedOffBy;
  /** Whether it could be installed now. */
  canInstall(): boolean;
  /** Looks some seconds from now, and then as the policy has it. */
  start(): void;
  /** Looks at once, for a person; nothing while something is under way already. */
  checkNow(): void;
  /** The settings were changed. `again`: to another channel, of which nothing is known yet. */
  onSet(anew: boolean): void;
  /** Called when phase or settings have changed, or uploads begin or end. */
  onChange(listener: () => void): void;
  /** Ends checks and downloads. Gives what installs the ready release; null for none or during an upload. */
  stop(): ((restart: boolean) => void) | null;
}

/** After the start (ms) nothing is looked for: the window comes first. */
const startDelayMs = 10_000;
/** How often (ms) to check whether something is due: a day-long timer would miss that the computer slept. */
const tickMs = 60_000;

/** Looks for updates, downloads them while no upload is under way, and has them ready for the quit. */
export function createUpdateService(parts: UpdateServiceParts): UpdateService {
  const { version, hasFeed, allowed, work, settings, clock, log } = parts;
  const ended = new AbortController();
  const listeners = createListeners<[]>();
  let phase: UpdatePhase = { kind: 'idle', checkedAt: null };
  let releases: Releases | undefined;
  let checkDueAt = Number.NEGATIVE_INFINITY;
  /** Since ever, until an upload needs it. */
  let quietSince: number | null = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let download: AbortController | undefined;
  let couldInstall = false;
  /** Counts channels: what comes of an earlier one counts no more. */
  let round = 0;

  const off = () => switchedOffBy({ hasFeed, allowed, wanted: settings.get().updates.check });
  const facts = (): UpdateFacts => {
    const busy = isUploading(work.now().jobs);
    if (busy) quietSince = null;
    else quietSince ??= clock.now();
    return {
      off: off(),
      checkIsDue: clock.now() >= checkDueAt,
      isUploading: busy,
      hasBeenQuiet: quietSince !== null && clock.now() - quietSince >= quietMs,
    };
  };
  const tell = () => {
    couldInstall = installsNow(phase, facts());
    listeners.tell();
  };
  const become = (next: UpdatePhase) => {
    phase = next;
    tell();
  };
  const fail = (thrown: unknown) => {
    const error = toErrorRecord(thrown);
    log.warn({ code: error.code, cause: thrown }, 'no update');
    failures += 1;
    checkDueAt = clock.now() + untilNextCheckMs(failures, error);
    become({ kind: 'failed', error });
  };

  function look(): void {
    if (ended.signal.aborted) return;
    const step = nextStep(phase, facts());
    if (step === 'check') void check();
    else if (step === 'download') void fetchRelease();
    else if (step === 'stop-download') download?.abort();
  }

  async function check(): Promise<void> {
    const mine = round;
    become({ kind: 'checking' });
    try {
      releases ??= await parts.releases();
      const { channel } = settings.get().updates;
      const offered = await releases.offered(channel);
      if (mine !== round || ended.signal.aborted) return;
      failures = 0;
      checkDueAt = clock.now() + untilNextCheckMs(0, null);
      // The feed's word alone would also bring an older release, and with it every fault that was fixed
      // since.
      if (isNewer(offered, version))
        become({ kind: releases.installs ? 'available' : 'by-hand', version: offered });
      else become({ kind: 'idle', checkedAt: clock.now() });
      log.info({ offered }, 'looked for updates');
    } catch (thrown) {
      if (mine === round && !ended.signal.aborted) fail(thrown);
    }
    look();
  }

  async function fetchRelease(): Promise<void> {
    if (!releases || phase.kind !== 'available') return;
    const mine = round;
    const { version: wanted } = phase;
    const stop = new AbortController();
    download = stop;
    const percentIs = (percent: number) => {
      if (mine === round && !stop.signal.aborted) become({ kind: 'downloading', version: wanted, percent });
    };
    percentIs(0);
    try {
      await releases.download(stop.signal, percentIs);
      if (mine === round && !ended.signal.aborted) become({ kind: 'ready', version: wanted });
      log.info({ version: wanted }, 'an update is ready');
    } catch (thrown) {
      if (mine !== round || ended.signal.aborted) return;
      // Whatever stopped it: what was being downloaded is still wanted when no upload is under way any more.
      if (stop.signal.aborted) become({ kind: 'available', version: wanted });
      else fail(thrown);
    } finally {
      if (download === stop) download = undefined;
    }
  }

  async function run(): Promise<void> {
    for (let wait = startDelayMs; ; wait = tickMs) {
      await clock.sleep(wait, ended.signal);
      look();
    }
  }

  work.onChange(() => {
    look();
    if (installsNow(phase, facts()) !== couldInstall) tell();
  });
  return {
    phase: () => phase,
    off,
    canInstall: () => installsNow(phase, facts()),
    start: () => {
      run().catch(() => undefined);
    },
    checkNow: () => {
      if (phase.kind === 'available') return;
      checkDueAt = Number.NEGATIVE_INFINITY;
      look();
    },
    onSet: (anew) => {
      if (anew) {
        round += 1;
        download?.abort();
        failures = 0;
        checkDueAt = Number.NEGATIVE_INFINITY;
        phase = { kind: 'idle', checkedAt: null };
      }
      tell();
      look();
    },
    onChange: (listener) => {
      listeners.add(listener);
    },
    stop: () => {
      const ready = installsNow(phase, facts()) ? releases : undefined;
      ended.abort();
      download?.abort();
      return ready ? (restart) => ready.install(restart) : null;
    },
  };
}

/**
 * Updates as the page sees them. `page`: where releases can be downloaded by hand; null for no such place.
 */
export function updatesView(
  service: Pick<UpdateService, 'phase' | 'off' | 'canInstall'>,
  { check, channel }: Settings['updates'],
  page: string | null,
): UpdatesView {
  const by = service.off();
  if (by) return { check, channel, state: { kind: 'off', by } };
  const phase = service.phase();
  if (phase.kind === 'ready')
    return { check, channel, state: { ...phase, canRestart: service.canInstall() } };
  if (phase.kind === 'by-hand') return { check, channel, state: { ...phase, hasPage: page !== null } };
  return { check, channel, state: phase };
}
