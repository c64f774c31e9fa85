import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import { migrate } from '../../../../main/jobs/journal/journal-version.ts';
import { sourcePhrase } from '../../../../main/watch/model/source-names.ts';
import { createLedger } from '../../../../main/watch/state/ledger/ledger.ts';
import { speak } from '../../../../renderer/say.ts';
import type { Phrase } from '../../../../strings/phrase.ts';
import { errorPhrase } from '../../../../strings/said-error.ts';
import { inEnglish } from '../../../../strings/sayer.ts';
import { saidLines } from '../../../said.ts';
import { foundSource } from '../found-sources.ts';

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
});
afterEach(() => {
  speak({ language: 'en', locale: 'en-GB' });
  database.close();
});
const inGerman = () => speak({ language: 'de', locale: 'de-DE' });

/** Stores a line and returns a function that reads it back. */
function kept(...said: readonly (Phrase | string)[]): () => string | undefined {
  migrate(database);
  const ledger = createLedger(database, 'journal.db');
  ledger.addActivity('rule', 5, said, inEnglish.sayAll(said));
  return () => saidLines(ledger.activity('rule', 1))[0]?.text;
}

describe('activity lines', () => {
  it('translates a line stored in English into German, with numbers and sizes', () => {
    const source = sourcePhrase(foundSource('Kai_3', { files: Array(1_284).fill({}), bytes: 18.6e9 }));
    const text = kept({ key: 'sources.tookIt', values: { source } });
    expect(text()).toBe('Picked up Kai_3: 1,284 files, 18.6\u00a0GB.');
    inGerman();
    expect(text()).toBe('Kai_3: 1.284 Dateien, 18,6\u00a0GB übernommen.');
  });

  it('translates a line stored in German into English', () => {
    inGerman();
    const text = kept({ key: 'sources.folderAway' });
    expect(text()).toBe('Der Ordner ist nicht verbunden.');
    speak({ language: 'en', locale: 'en-GB' });
    expect(text()).toBe('The folder is not connected.');
  });

  it('shows errors in the reader’s language, within a sentence or alone', () => {
    const why = errorPhrase(toErrorRecord(new TileliftError('source-missing', { subject: '/in/{a}' })));
    const text = kept({ key: 'sources.waits', values: { name: 'a', why } }, why);
    inGerman();
    expect(text()).toBe(
      'a wartet: Unter /in/{a} wurde nichts gefunden. Unter /in/{a} wurde nichts gefunden.',
    );
  });

  it.each([
    ['a message that no longer exists', '[{"key":"sources.gone"}]'],
    ['a message with a missing value', '[{"key":"sources.tookIt"}]'],
    ['a message of invalid shape', '{"key":"sources.folderAway"}'],
  ])('shows the stored text for %s', (_what, said) => {
    const text = kept({ key: 'sources.folderBack' });
    database.prepare('UPDATE activity SET said = ?').run(said);
    inGerman();
    expect(text()).toBe('The folder is back.');
  });

  it('rejects an activity line that isn’t JSON', () => {
    kept('as it is');
    expect(() => database.exec(`UPDATE activity SET said = '{'`)).toThrow('CHECK');
  });
});
