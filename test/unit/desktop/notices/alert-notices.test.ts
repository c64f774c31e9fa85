import { expect, test } from 'vitest';
import type { AlertWhat } from '../../../../main/alerts/alert-model.ts';
import { noticeBody } from '../../../../main/desktop/notices/alert-notices.ts';

const rule = { ruleId: 'r', ruleName: 'Landings' };
const message = (furtherCount: number, ...whats: AlertWhat[]) => ({
  ...{ id: 'm', at: 0, more: furtherCount },
  told: whats.map((what, index) => ({ id: String(index), at: 0, what })),
});
const failed: AlertWhat = { ...rule, kind: 'failed', source: 'a', error: null };

test('noticeBody() omits failures, which have their own notice', () => {
  expect(noticeBody(message(0, failed))).toBe('');
  expect(noticeBody(message(0, failed, { ...rule, kind: 'silent', days: 2 }))).toBe(
    'Landings: nothing has arrived for 2 days.',
  );
});

test('noticeBody() names only some of many sources', () => {
  const waits = (source: string): AlertWhat => ({ ...rule, kind: 'waiting', source, hours: 4 });
  const body = noticeBody(message(7, waits('a'), waits('b'), waits('c'), waits('d')));
  expect(body.split('\n')).toHaveLength(4);
  expect(body).toContain('and 8 more');
});
