/// <reference types="vite/types/importMeta.d.ts" />
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { british, type Catalogue, cataloguesFrom, type Speech } from '../strings/languages.ts';
import { createSayer } from '../strings/sayer.ts';

/**
 * What the main process says to people: in windows, menus, notices and mail. What it writes down is in
 * English, or in no language.
 */

/** All language files: as Vite has bundled them, or in plain Node those that are in their folder. */
export const catalogues = cataloguesFrom(
  import.meta.env
    ? import.meta.glob<Catalogue>('../strings/*.json', { eager: true, import: 'default' })
    : languageFiles(join(import.meta.dirname, '..', 'strings')),
);

function languageFiles(folder: string): Record<string, Catalogue> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(
    files.map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
}

let speech = british;

/** From now on everything is said so; what was said stays as it is. */
export function speak(next: Speech): void {
  speech = next;
}

export const currentSpeech = (): Speech => speech;

export const {
  say,
  sayPhrase,
  errorMessage,
  errorAdvice,
  errorWords,
  formatNames,
  formatPercent,
  formatWhen,
} = createSayer(catalogues, currentSpeech);
