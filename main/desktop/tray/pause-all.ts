/** Things that are paused and taken up again together: uploads, watched folders. */
export interface Pausable {
  /** All that can be paused (on) or taken up again (off). */
  list(): readonly { readonly id: string; readonly on: boolean }[];
  setOn(id: string, on: boolean): void;
}

/** Pauses all, and takes up again those that it paused; after a restart, or where none are left of them, all. */
export function createPauseAll({ list, setOn }: Pausable): { pause(): void; resume(): void } {
  const paused = new Set<string>();
  return {
    pause: () => {
      paused.clear();
      for (const { id, on } of list()) {
        if (!on) continue;
        paused.add(id);
        setOn(id, false);
      }
    },
    resume: () => {
      const off = list().filter(({ on }) => !on);
      const ours = off.filter(({ id }) => paused.has(id));
      for (const { id } of ours.length > 0 ? ours : off) setOn(id, true);
      paused.clear();
    },
  };
}
