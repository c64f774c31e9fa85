import type { JobService } from '../jobs/model.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../outside.ts';
import type { SettingsStore } from '../settings.ts';
import type { WatchService } from './model.ts';

export interface WatchServiceOptions {
  readonly settings: SettingsStore;
  readonly jobs: JobService;
  readonly clock: Clock;
  readonly log: Log;
}

export function createWatchService(options: WatchServiceOptions): WatchService {
  void options;
  return {
    start: async () => {},
    stop: async () => {},
    rules: () => [],
    save: async () => {},
    remove: () => {},
    setOn: () => {},
    dryRun: async () => ({ sources: [], wouldBeTaken: 0, known: 0 }),
    sources: () => [],
    act: async () => {},
    activity: () => [],
    receipts: () => [],
    isNetworkDrive: async () => false,
    lookAgain: () => {},
    onChange: () => () => {},
    onEnd: () => () => {},
  };
}
