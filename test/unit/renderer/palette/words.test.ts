import { afterEach, expect, it } from 'vitest';
import { busyJobs } from '../../../../gallery/samples/sample-jobs.ts';
import { speak } from '../../../../renderer/say.ts';
import { helpPages } from '../../../../renderer/screens/help/pages/pages.ts';
import { listEntries } from '../../../../renderer/screens/palette/entries.ts';
import { everything } from '../../../../renderer/screens/palette/everything.ts';
import { GuideState } from '../../../../renderer/state/guide.svelte.ts';
import type { Stores } from '../../../../renderer/state/stores.ts';
import { scoreOf, wordsIn } from '../../../../renderer/words/find-words.ts';

afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

const guide = new GuideState();

function foundEntries(language: 'en' | 'de', query: string, info: object | null = null) {
  speak({ language, locale: language === 'en' ? 'en-GB' : 'de-DE' });
  const stores = {
    account: { lostAccounts: [], isSignedIn: true, accounts: [], currentId: 'a', hasSeveral: false },
    app: { appearance: 'system', info },
    assets: { list: [] },
    clock: { now: 0 },
    guide,
    jobs: { list: busyJobs(0) },
    updates: { view: null },
  } as unknown as Stores;
  const entries = everything(stores, () => {}, helpPages(language));
  return listEntries(entries, query, []).flatMap((list) => list.entries);
}

const foundIds = (...query: Parameters<typeof foundEntries>) => foundEntries(...query).map(({ id }) => id);

/** Entries, and what people type in English and German who mean them. */
const words = [
  [
    'setting:settings.bandwidth.title',
    ['limit', 'speed', 'bandwidth'],
    ['Limit', 'Geschwindigkeit', 'Bandbreite', 'Tempo'],
  ],
  ['setting:language.title', ['language'], ['Sprache']],
  ['setting:settings.background.notify', ['notifications'], ['Benachrichtigung']],
  [
    'setting:settings.network.title',
    ['certificate', 'proxy', 'proxies', 'socks'],
    ['Zertifikate', 'Proxy', 'Proxys', 'SOCKS'],
  ],
  ['setting:settings.alerts.mail', ['email', 'warning'], ['E-Mails', 'Warnung']],
  ['setting:settings.alerts.webhook', ['webhooks'], ['Webhooks']],
  ['setting:settings.appearance.title', ['theme'], ['Design', 'Theme']],
  ['setting:settings.background.startAtLogin', ['autostart'], ['Autostart']],
  ['setting:settings.background.keepRunning', ['tray'], ['Infobereich']],
  ['setting:settings.background.keepAwake', ['sleep'], ['Ruhezustand']],
  ['setting:settings.updates.title', ['updating'], ['Update']],
  ['setting:settings.account.one', ['sign out', 'logout', 'access token'], ['abmelden', 'Zugriffstoken']],
  ['setting:settings.keychain.title', ['password'], ['Passwort', 'sicher']],
  ['setting:settings.about.title', ['license'], ['Lizenz']],
  ['settings', ['preferences'], ['Konfiguration']],
  ['watch', ['receipt'], ['Nachweis', 'Quittung']],
  ['look:dark', ['dark mode'], ['Dark Mode', 'Dunkelmodus', 'dunkles Design']],
  ['look:light', ['light mode'], ['helles Design']],
  ['shortcuts', ['keyboard', 'hotkeys'], ['Tastatur']],
  ['logs', ['log file'], ['Logdatei']],
  ['diagnostics', ['diagnostics'], ['Diagnose']],
  ['queue:pause', ['pause all'], ['alle anhalten', 'pausieren']],
  ['queue:try-again', ['retry'], ['wiederholen']],
  ['queue:bring-back', ['undo'], ['rückgängig']],
  ['queue:copy-list', ['export'], ['exportieren']],
  ['share:complete', ['share'], ['teilen', 'freigeben']],
  [
    'help:coordinate-systems',
    ['EPSG', 'CRS', 'UTM', 'utm zone', 'projection', 'vertical datum', 'geoid'],
    ['EPSG', 'UTM', 'Projektion', 'Datum', 'Höhenbezug', 'Höhensystem', 'Höhendatum', 'Höhenreferenz'],
  ],
  ['help:kinds-of-data', ['shapefile', 'dwg', 'pdf', 'tileset'], ['Shapefiles', 'DWG', 'PDF', 'Tileset']],
  ['help:first-upload', ['presets'], ['Vorlagen', 'Preset']],
  ['help:check-data', ['duplicate'], ['Duplikate']],
  ['help:network', ['policy', 'administrator'], ['Richtlinie', 'Administrator']],
  ['help:privacy', ['telemetry'], ['Telemetrie']],
] as const;

const queries = words.flatMap(([id, english, german]) => [
  ...english.map((query) => ['en', query, id] as const),
  ...german.map((query) => ['de', query, id] as const),
]);

it.each(queries)('the palette finds in %s for “%s” first %s', (language, query, id) => {
  expect(foundIds(language, query)[0]).toBe(id);
});

it('the palette finds German plurals by their stem', () => {
  expect(foundIds('de', 'Aktualisierungen')).toContain('setting:settings.updates.title');
});

it.each(['policy', 'administrator'])('the palette finds for “%s” the policy that is in force', (query) => {
  expect(foundIds('en', query, { policy: {} })[0]).toBe('setting:policy.title');
});

it.each([
  ['theme', 'them'],
  ['sicher', 'sich'],
  ['Seiten', 'seit'],
  ['Weile', 'weil'],
])('scoreOf() doesn’t take “%s” for a form of “%s”', (query, word) => {
  expect(scoreOf(wordsIn(query), [{ text: word, weight: 1 }])).toBe(0);
});

it('the palette opens the section of a setting', () => {
  foundEntries('en', 'tray')[0]?.run();
  expect(guide.section).toBe('In the background');
});

it('the palette still finds nothing for words that are nowhere', () => {
  expect(foundEntries('en', 'zeppelin')).toEqual([]);
});
