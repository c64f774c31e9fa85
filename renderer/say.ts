import { british, type Catalogue, cataloguesFrom, type Speech } from '../strings/languages.ts';
import { createSayer } from '../strings/sayer.ts';

/** The page's texts. The address names the language, so a change of language reloads the page. */

/** All language files. */
export const catalogues = cataloguesFrom(
  import.meta.glob<Catalogue>('../strings/*.json', { eager: true, import: 'default' }),
);

let speech = british;

/** To be called before the first word is said: what was said stays as it is. */
export function speak(nextSpeech: Speech): void {
  speech = nextSpeech;
}

export const {
  say,
  perSpeech,
  sayPhrase,
  sayAll,
  sayValue,
  errorMessage,
  errorAdvice,
  errorWords,
  formatArea,
  formatBytes,
  formatBytesOf,
  formatCount,
  formatDay,
  formatDuration,
  formatExtent,
  formatFacts,
  formatFileRate,
  formatList,
  formatMinutes,
  formatNames,
  formatPercent,
  formatRate,
  formatRoughDuration,
  formatRoughRate,
  formatWeekday,
  formatWhen,
} = createSayer(catalogues, () => speech);
