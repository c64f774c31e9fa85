import { expect, test } from 'vitest';
import type { AlertWhat } from '../../../../main/alerts/alert-model.ts';
import { noticeBody } from '../../../../main/desktop/notices/alert-notices.ts';

const rule = { ruleId: 'r', ruleName: 'Landings' };
const message = (furtherCount: number, ...whats: AlertWhat[]) => ({
  ...{ id: 'm', at: 0, more: furtherCount },
  told: whats.map((alert, index) => ({ id: String(index), at: 0, what: alert })),
});
const failedAlert: AlertWhat = { ...rule, kind: 'failed', source: 'a', error: null };

test('noticeBody() omits failures, which have their own notice', () => {
  expect(noticeBody(message(0, failedAlert))).toBe('');
  expect(noticeBody(message(0, failedAlert, { ...rule, kind: 'silent', days: 2 }))).toBe(
    'Landings: nothing has arrived for 2 days.',
  );
});

test('noticeBody() names only some of many sources', () => {
  const waitingAlert = (source: string): AlertWhat => ({ ...rule, kind: 'waiting', source, hours: 4 });
  const body = noticeBody(
    message(7, waitingAlert('a'), waitingAlert('b'), waitingAlert('c'), waitingAlert('d')),
  );
  expect(body.split('\n')).toHaveLength(4);
  expect(body).toContain('and 8 more');
});
