import type { UpdatesView } from '../../../preload/contract.ts';
import type { UpdateChannel } from '../../../shared/schemas/settings.ts';
import type { SwitchedOffBy, UpdatePhase } from '../../../shared/updates.ts';
import { toErrorRecord } from '../../errors.ts';
import { createListeners } from '../../listeners.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { Settings, SettingsStore } from '../../settings.ts';
import type { WorkWatch } from '../launch/work.ts';
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

/** Finds and installs newer releases. */
export interface Releases {
  /** False: a package manager or administrator updates this copy. */
  readonly installs: boolean;
  /** It may be older than this one. Throws `update-unreachable`. */
  findVersion(channel: UpdateChannel): Promise<string>;
  /**
   * Keeps nothing after a failure or abort. Throws `update-unreachable`, `update-refused`, `update-not-kept`.
   * `onPercent`: 0 to 100.
   */
  download(signal: AbortSignal, onPercent: (percent: number) => void): Promise<void>;
  /** The last action of the program. */
  install(restart: boolean): void;
}

interface UpdateServiceParts {
  /** The running version. */
  readonly version: string;
  readonly hasFeed: boolean;
  readonly areAllowed: boolean;
  /** Created on demand. */
  readonly releases: () => Promise<Releases>;
  readonly work: Pick<WorkWatch, 'current' | 'onChange'>;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly log: Log;
}

export interface UpdateService {
  phase(): UpdatePhase;
  switchedOffBy(): SwitchedOffBy;
  canInstall(): boolean;
  start(): void;
  /** Ignored while busy. */
  checkNow(): void;
  /** `isOtherChannel`: drops results of the previous channel. */
  onSet(isOtherChannel: boolean): void;
  /** Also when uploads begin or end. */
  onChange(listener: () => void): void;
  /** Returns the installer of a ready release; null for none or during uploads. */
  stop(): ((restart: boolean) => void) | null;
}

/** Delay after the start, ms: the window comes first. */
const startDelayMs = 10_000;
/** Interval, ms: a day-long timer would ignore sleep. */
const tickMs = 60_000;

/** Downloads updates while no upload is in progress and prepares them for the quit. */
export function createUpdateService(parts: UpdateServiceParts): UpdateService {
  const { version, hasFeed, areAllowed, work, settings, clock, log } = parts;
  const lifetime = new AbortController();
  const listeners = createListeners<[]>();
  let phase: UpdatePhase = { kind: 'idle', checkedAt: null };
  let releases: Releases | undefined;
  let checkDueAt = Number.NEGATIVE_INFINITY;
  /** Negative infinity until the first upload. */
  let quietSince: number | null = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let download: AbortController | undefined;
  let couldInstall = false;
  /** Ignores results of an earlier channel. */
  let round = 0;

  const findSwitch = () => switchedOffBy({ hasFeed, areAllowed, isEnabled: settings.get().updates.check });
  const facts = (): UpdateFacts => {
    const busy = isUploading(work.current().jobs);
    if (busy) quietSince = null;
    else quietSince ??= clock.now();
    return {
      switchedOffBy: findSwitch(),
      checkIsDue: clock.now() >= checkDueAt,
      isUploading: busy,
      hasBeenQuiet: quietSince !== null && clock.now() - quietSince >= quietMs,
    };
  };
  const notify = () => {
    couldInstall = installsNow(phase, facts());
    listeners.emit();
  };
  const become = (nextPhase: UpdatePhase) => {
    phase = nextPhase;
    notify();
  };
  const fail = (cause: unknown) => {
    const error = toErrorRecord(cause);
    log.warn({ code: error.code, cause }, 'no update');
    failures += 1;
    checkDueAt = clock.now() + untilNextCheckMs(failures, error);
    become({ kind: 'failed', error });
  };

  function takeNextStep(): void {
    if (lifetime.signal.aborted) return;
    const step = nextStep(phase, facts());
    if (step === 'check') void check();
    else if (step === 'download') void fetchRelease();
    else if (step === 'stop-download') download?.abort();
  }

  async function check(): Promise<void> {
    const startRound = round;
    become({ kind: 'checking' });
    try {
      releases ??= await parts.releases();
      const { channel } = settings.get().updates;
      const offeredVersion = await releases.findVersion(channel);
      if (startRound !== round || lifetime.signal.aborted) return;
      failures = 0;
      checkDueAt = clock.now() + untilNextCheckMs(0, null);
      // An older release would bring back faults.
      if (isNewer(offeredVersion, version))
        become({ kind: releases.installs ? 'available' : 'by-hand', version: offeredVersion });
      else become({ kind: 'idle', checkedAt: clock.now() });
      log.info({ offered: offeredVersion }, 'looked for updates');
    } catch (error) {
      if (startRound === round && !lifetime.signal.aborted) fail(error);
    }
    takeNextStep();
  }

  async function fetchRelease(): Promise<void> {
    if (!releases || phase.kind !== 'available') return;
    const startRound = round;
    const { version: offeredVersion } = phase;
    const stop = new AbortController();
    download = stop;
    const percentIs = (percent: number) => {
      if (startRound === round && !stop.signal.aborted)
        become({ kind: 'downloading', version: offeredVersion, percent });
    };
    percentIs(0);
    try {
      await releases.download(stop.signal, percentIs);
      if (startRound === round && !lifetime.signal.aborted)
        become({ kind: 'ready', version: offeredVersion });
      log.info({ version: offeredVersion }, 'an update is ready');
    } catch (error) {
      if (startRound !== round || lifetime.signal.aborted) return;
      // It continues after the upload.
      if (stop.signal.aborted) become({ kind: 'available', version: offeredVersion });
      else fail(error);
    } finally {
      if (download === stop) download = undefined;
    }
  }

  async function run(): Promise<void> {
    for (let delayMs = startDelayMs; ; delayMs = tickMs) {
      await clock.sleep(delayMs, lifetime.signal);
      takeNextStep();
    }
  }

  work.onChange(() => {
    takeNextStep();
    if (installsNow(phase, facts()) !== couldInstall) notify();
  });
  return {
    phase: () => phase,
    switchedOffBy: findSwitch,
    canInstall: () => installsNow(phase, facts()),
    start: () => {
      run().catch(() => undefined);
    },
    checkNow: () => {
      if (phase.kind === 'available') return;
      checkDueAt = Number.NEGATIVE_INFINITY;
      takeNextStep();
    },
    onSet: (isOtherChannel) => {
      if (isOtherChannel) {
        round += 1;
        download?.abort();
        failures = 0;
        checkDueAt = Number.NEGATIVE_INFINITY;
        phase = { kind: 'idle', checkedAt: null };
      }
      notify();
      takeNextStep();
    },
    onChange: (listener) => {
      listeners.add(listener);
    },
    stop: () => {
      const installableReleases = installsNow(phase, facts()) ? releases : undefined;
      lifetime.abort();
      download?.abort();
      return installableReleases ? (restart) => installableReleases.install(restart) : null;
    },
  };
}

/** `page`: the download page, or null. */
export function updatesView(
  service: Pick<UpdateService, 'phase' | 'switchedOffBy' | 'canInstall'>,
  { check, channel }: Settings['updates'],
  page: string | null,
): UpdatesView {
  const disabledBy = service.switchedOffBy();
  if (disabledBy) return { check, channel, state: { kind: 'off', by: disabledBy } };
  const phase = service.phase();
  if (phase.kind === 'ready')
    return { check, channel, state: { ...phase, canRestart: service.canInstall() } };
  if (phase.kind === 'by-hand') return { check, channel, state: { ...phase, hasPage: page !== null } };
  return { check, channel, state: phase };
}
