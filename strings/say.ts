import { IntlMessageFormat } from 'intl-messageformat';
import english from './en.json' with { type: 'json' };
import type { Branch, Catalogues, Speech } from './languages.ts';

/** A key of the catalogue, its names joined by dots: `uploads.empty.title`. */
export type Key = CatalogueLeaf<typeof english>;
type CatalogueLeaf<Tree> = {
  [Name in keyof Tree & string]: Tree[Name] extends string ? Name : `${Name}.${CatalogueLeaf<Tree[Name]>}`;
}[keyof Tree & string];

/** A message's arguments. Numbers are formatted for the locale. */
type Values = Readonly<Record<string, string | number>>;

/** Formats a key's text in the current language. Throws if a required value is missing. */
type Say = (key: Key, values?: Values) => string;

/** Formatters are expensive, so each language creates them once. */
type PerSpeech = <Value>(create: (speech: Speech) => Value) => () => Value;

/** The formatters of one language. */
export interface Voice {
  readonly say: Say;
  readonly perSpeech: PerSpeech;
}

/** @param speech returns the current language; called for each text */
export function createVoice(catalogues: Catalogues, speech: () => Speech): Voice {
  const perSpeech: PerSpeech = (create) => {
    const cache = new WeakMap<Speech, { readonly value: ReturnType<typeof create> }>();
    return () => {
      const currentSpeech = speech();
      const cached = cache.get(currentSpeech) ?? { value: create(currentSpeech) };
      cache.set(currentSpeech, cached);
      return cached.value;
    };
  };
  const messages = perSpeech(() => new Map<string, Message>());
  return {
    perSpeech,
    say(key, values = {}) {
      const parsedMessages = messages();
      const message = parsedMessages.get(key) ?? prepare(catalogues, speech(), key);
      parsedMessages.set(key, message);
      return typeof message === 'string' ? message : String(message.format({ ...values }));
    },
  };
}

type Message = string | IntlMessageFormat;

/** A message without arguments needs no parser. */
function prepare(catalogues: Catalogues, { language, locale }: Speech, key: Key): Message {
  const text = findText(catalogues.get(language) ?? english, key) ?? findText(english, key) ?? key;
  return text.includes('{') ? new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }) : text;
}

/** Whether the catalogue has this message; a stored key may have been removed since. */
export function isKey(name: unknown): name is Key {
  return typeof name === 'string' && findText(english, name) !== undefined;
}

function findText(catalogue: Branch, key: string): string | undefined {
  let place: string | Branch | undefined = catalogue;
  for (const name of key.split('.')) place = typeof place === 'object' ? place[name] : undefined;
  return typeof place === 'string' ? place : undefined;
}
