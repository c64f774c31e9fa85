import { expect, it } from 'vitest';
import type { LedgerEntry } from '../../../../main/watch/model/model.ts';
import { decide } from '../../../../main/watch/state/decide.ts';
import { readSourceContext } from '../../../../main/watch/state/source-context.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';
import { foundSource, rowOf } from '../found-sources.ts';

const rule = aWatchRule({ folder: '/in' });
const found = foundSource('flight');
const ledgerOf = (...rows: readonly LedgerEntry[]) => ({
  find: (_: string, path: string) => rows.find((row) => row.path === path),
  withIdentity: (_: string, identity: string) => rows.filter((row) => row.identity === identity),
  likePath: (_: string, path: string) => rows.filter((row) => row.path.toLowerCase() === path.toLowerCase()),
  contentSeen: () => undefined,
});
const decisionWith = async (row: LedgerEntry, there: boolean | 'other-case') =>
  decide(await readSourceContext(rule, found, ledgerOf(row), 1, async () => there));

it('detects a source renamed only in case on a case-insensitive disk', async () => {
  const alike = rowOf(found, { path: 'Flight' });
  expect(await decisionWith(alike, 'other-case')).toEqual({ kind: 'renamed', previousPath: 'Flight' });
  // Its extension may differ in case, or its content may have changed as well.
  const other = rowOf(found, { path: 'FLIGHT', identity: 'another' });
  expect(await decisionWith(other, 'other-case')).toEqual({ kind: 'renamed', previousPath: 'FLIGHT' });
  expect(await decisionWith(alike, true)).toEqual({ kind: 'take', isRetry: false });
  expect(await decisionWith(alike, false)).toMatchObject({ kind: 'compare' });
});
