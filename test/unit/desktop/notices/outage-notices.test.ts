import { expect, it } from 'vitest';
import type { Notice } from '../../../../main/desktop/notices/notify.ts';
import { tellOfOutages } from '../../../../main/desktop/notices/outage-notices.ts';
import type { Outage } from '../../../../main/watch/outage/outage.ts';
import { memorySettings } from '../../account/stand-ins.ts';

const now = new Date(2026, 2, 1, 14, 0).getTime();
const hour = 3_600_000;

function desktop(wanted = true) {
  const settings = memorySettings();
  settings.update({ background: { ...settings.get().background, notify: wanted } });
  const told: Notice[] = [];
  let tell: (outage: Outage) => void = () => {};
  const onOutage = (listener: typeof tell) => {
    tell = listener;
    return () => {};
  };
  tellOfOutages({ onOutage }, { settings, clock: { now: () => now }, notify: (one) => told.push(one) });
  tell({ kind: 'begun', since: now - 3 * hour });
  tell({ kind: 'over', since: now - 3 * hour, ms: 3 * hour, sources: 12 });
  return told.map(({ title, body }) => `${title}: ${body}`);
}

it('tells of an outage when it has lasted, and when it is over: since when, for how long, what goes on', () => {
  expect(desktop()).toEqual([
    'Service or storage is not responding: No response since 11:00. Data in watched folders waits and continues automatically.',
    'Service and storage are responding again: Outage: 3\u00a0h, from 11:00. 12 sources continue now.',
  ]);
});

it('tells nobody who wants no notices', () => {
  expect(desktop(false)).toEqual([]);
});
