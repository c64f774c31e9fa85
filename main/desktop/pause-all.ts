import type { WatchService } from '../watch/model.ts';

/** Pauses all watched folders, and takes up again those that it paused; after a restart, or where none are left of them, all. */
export function createPauseAll(watch: Pick<WatchService, 'rules' | 'setOn'>): {
  pause(): void;
  resume(): void;
} {
  const paused = new Set<string>();
  return {
    pause: () => {
      paused.clear();
      for (const { rule } of watch.rules()) {
        if (!rule.on) continue;
        paused.add(rule.id);
        watch.setOn(rule.id, false);
      }
    },
    resume: () => {
      const off = watch.rules().filter(({ rule }) => !rule.on);
      const ours = off.filter(({ rule }) => paused.has(rule.id));
      for (const { rule } of ours.length > 0 ? ours : off) watch.setOn(rule.id, true);
      paused.clear();
    },
  };
}
