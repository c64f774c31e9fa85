import type { WatchRule } from '../rule.ts';
import type { Standing } from './lease.ts';
import type { WatchOwner } from './lease-model.ts';

/** Which computer watches a folder. A rule whose folder isn't shared has it to itself. */
export interface FolderLeases {
  readonly owner: WatchOwner;
  /** Takes the lease of the rule's folder if no other computer has it. Throws `watch-lease-unwritable`. */
  take(rule: WatchRule): Promise<Standing>;
  /** Whether this computer still watches for the rule. Throws `watch-lease-unwritable`. */
  renew(rule: WatchRule): Promise<boolean>;
  /** Whether this computer writes what becomes of the rule's sources. */
  writes(rule: WatchRule): boolean;
}
