import { goesOnByItself, type Work } from '../work.ts';

/**
 * Whether Tilelift goes on without its window. `keepRunning` is what the person has said; null for nothing yet: then it does while a rule is on or a job goes on by
 * itself. On macOS programs always do.
 */
export function staysWithoutWindow(
  platform: NodeJS.Platform,
  keepRunning: boolean | null,
  { jobs, rules }: Work,
): boolean {
  if (platform === 'darwin') return true;
  return keepRunning ?? (isWatching({ rules }) || jobs.some(goesOnByItself));
}

/** Whether a rule is on. */
export function isWatching({ rules }: Pick<Work, 'rules'>): boolean {
  return rules.some(({ rule }) => rule.on);
}
