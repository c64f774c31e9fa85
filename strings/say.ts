import { IntlMessageFormat } from 'intl-messageformat';
import english from './en.json' with { type: 'json' };
import type { Branch, Catalogues, Speech } from './languages.ts';

/** A leaf of the catalogue, its path joined by points: `uploads.empty.title`. */
export type Key = Leaf<typeof english>;
type Leaf<Tree> = {
  [Name in keyof Tree & string]: Tree[Name] extends string ? Name : `${Name}.${Leaf<Tree[Name]>}`;
}[keyof Tree & string];

/** A message's arguments. Numbers are formatted for the locale. */
type Values = Readonly<Record<string, string | number>>;

/** The words of a key in the current language. Throws when a value that the message needs is missing. */
type Say = (key: Key, values?: Values) => string;

/** Formatters are expensive, so each language creates them once. */
type PerSpeech = <Made>(make: (speech: Speech) => Made) => () => Made;

/** The formatters of one language. */
export interface Voice {
  readonly say: Say;
  readonly perSpeech: PerSpeech;
}

/** @param speech what is spoken now: asked at each word */
export function createVoice(catalogues: Catalogues, speech: () => Speech): Voice {
  const perSpeech: PerSpeech = (make) => {
    const cache = new WeakMap<Speech, { readonly thing: ReturnType<typeof make> }>();
    return () => {
      const spoken = speech();
      const cached = cache.get(spoken) ?? { thing: make(spoken) };
      cache.set(spoken, cached);
      return cached.thing;
    };
  };
  const messages = perSpeech(() => new Map<string, Message>());
  return {
    perSpeech,
    say(key, values = {}) {
      const prepared = messages();
      const message = prepared.get(key) ?? prepare(catalogues, speech(), key);
      prepared.set(key, message);
      return typeof message === 'string' ? message : String(message.format({ ...values }));
    },
  };
}

type Message = string | IntlMessageFormat;

/** A message without arguments needs no parser. */
function prepare(catalogues: Catalogues, { language, locale }: Speech, key: Key): Message {
  const text = find(catalogues.get(language) ?? english, key) ?? find(english, key) ?? key;
  return text.includes('{') ? new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }) : text;
}

/** Whether the catalogue has a message of this name: a stored one may have gone since. */
export function isKey(name: unknown): name is Key {
  return typeof name === 'string' && find(english, name) !== undefined;
}

function find(catalogue: Branch, key: string): string | undefined {
  let place: string | Branch | undefined = catalogue;
  for (const name of key.split('.')) place = typeof place === 'object' ? place[name] : undefined;
  return typeof place === 'string' ? place : undefined;
}
