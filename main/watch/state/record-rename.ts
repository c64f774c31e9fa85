import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/words.ts';
import type { Decision } from './decide.ts';
import { type WatchParts, writeActivity } from './watch-parts.ts';

/** Updates the path and look of a known source. Creates no asset. */
export function learn(
  rule: WatchRule,
  source: FoundSource,
  decision: Decision & { readonly kind: 'renamed' | 'touched' },
  parts: WatchParts,
): void {
  const { ledger } = parts;
  const { path, identity, fingerprint, newestMs, digest } = source;
  const previousPath = decision.kind === 'renamed' ? decision.previousPath : path;
  const row = ledger.find(rule.id, previousPath);
  if (!row) return;
  const facts = { identity, fingerprint, newestMs, marks: digest, content: row.content };
  if (decision.kind === 'touched') {
    ledger.change(rule.id, path, facts);
    return;
  }
  // The content may have changed too; the next scan detects that.
  const isAlike = row.identity === identity && row.newestMs === newestMs;
  ledger.change(rule.id, previousPath, isAlike ? { path, ...facts } : { path });
  writeActivity(parts, rule.id, {
    key: 'sources.renamed',
    values: { before: nameOf(rule, previousPath), name: nameOf(rule, path) },
  });
}
