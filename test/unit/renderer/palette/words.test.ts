import { afterEach, expect, it } from 'vitest';
import { busyJobs } from '../../../../gallery/samples/sample-jobs.ts';
import { speak } from '../../../../renderer/say.ts';
import { helpPages } from '../../../../renderer/screens/help/pages/pages.ts';
import { listEntries } from '../../../../renderer/screens/palette/entries.ts';
import { everything } from '../../../../renderer/screens/palette/everything.ts';
import { GuideState } from '../../../../renderer/state/guide.svelte.ts';
import type { Stores } from '../../../../renderer/state/stores.ts';

afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

const guide = new GuideState();

function foundLabels(language: 'en' | 'de', query: string) {
  speak({ language, locale: language === 'en' ? 'en-GB' : 'de-DE' });
  const stores = {
    account: { lostAccounts: [], isSignedIn: true, accounts: [], currentId: 'a', hasSeveral: false },
    app: { appearance: 'system' },
    assets: { list: [] },
    clock: { now: 0 },
    guide,
    jobs: { list: busyJobs(0) },
    updates: { view: null },
  } as unknown as Stores;
  const entries = everything(stores, () => {}, helpPages(language));
  return listEntries(entries, query, []).flatMap((list) => list.entries);
}

/** What people type, in English and German, and an entry that it must find. */
const words = [
  ['limit', 'Limit', 'setting:settings.bandwidth.title'],
  ['speed', 'Geschwindigkeit', 'setting:settings.bandwidth.title'],
  ['bandwidth', 'Bandbreite', 'setting:settings.bandwidth.title'],
  ['language', 'Sprache', 'setting:language.title'],
  ['notifications', 'Benachrichtigung', 'setting:settings.background.notify'],
  ['certificate', 'Zertifikate', 'setting:settings.network.title'],
  ['email', 'E-Mails', 'setting:settings.alerts.mail'],
  ['proxy', 'Proxy', 'setting:settings.network.title'],
  ['proxies', 'Proxys', 'help:network'],
  ['EPSG', 'EPSG', 'help:coordinate-systems'],
  ['vertical datum', 'Höhenbezug', 'help:coordinate-systems'],
  ['theme', 'Design', 'setting:settings.appearance.title'],
  ['dark mode', 'Dunkelmodus', 'setting:settings.appearance.title'],
  ['presets', 'Vorlagen', 'help:first-upload'],
  ['pause all', 'alle anhalten', 'queue:pause'],
  ['shapefile', 'Shapefiles', 'help:kinds-of-data'],
  ['share', 'teilen', 'help:first-upload'],
  ['autostart', 'Autostart', 'setting:settings.background.startAtLogin'],
  ['tray', 'Infobereich', 'setting:settings.background.keepRunning'],
  ['updating', 'Aktualisierungen', 'setting:settings.updates.title'],
  ['webhooks', 'Webhooks', 'setting:settings.alerts.webhook'],
  ['diagnostics', 'Diagnose', 'setting:settings.logs.title'],
  ['sign out', 'abmelden', 'setting:settings.account.one'],
  ['access token', 'Zugriffstoken', 'setting:settings.account.one'],
  ['sleep', 'Ruhezustand', 'setting:settings.background.keepAwake'],
  ['password', 'Passwort', 'setting:settings.keychain.title'],
] as const;

it.each(words)('the palette finds “%s” and “%s”', (english, german, id) => {
  expect(foundLabels('en', english).map((entry) => entry.id)).toContain(id);
  expect(foundLabels('de', german).map((entry) => entry.id)).toContain(id);
});

it('the palette opens the section of a setting', () => {
  foundLabels('en', 'tray')[0]?.run();
  expect(guide.section).toBe('In the background');
});

it('the palette still finds nothing for words that are nowhere', () => {
  expect(foundLabels('en', 'zeppelin')).toEqual([]);
});
