/// <reference types="vite/types/importMeta.d.ts" />
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { british, type Catalogue, cataloguesFrom, type Speech } from '../strings/languages.ts';
import { createSayer } from '../strings/sayer.ts';

/** Texts of windows, menus, notices and mail. Stored texts are English or language-neutral. */

/** Bundled by Vite, or read in plain Node. */
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

/** Changes the language of all following texts. */
export function speak(newSpeech: Speech): void {
  speech = newSpeech;
}

export const currentSpeech = (): Speech => speech;

export const {
  say,
  sayPhrase,
  errorMessage,
  errorAdvice,
  errorWords,
  formatDuration,
  formatDay,
  formatExtent,
  formatFacts,
  formatNames,
  formatPercent,
  formatWhen,
} = createSayer(catalogues, currentSpeech);
