import { IntlMessageFormat } from 'intl-messageformat';
import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import type { Language, Speech } from './languages.ts';

/** A leaf of the catalogue, its path joined by points: `uploads.empty.title`. */
export type Key = Leaf<typeof english>;
type Leaf<Tree> = {
  [Name in keyof Tree & string]: Tree[Name] extends string ? Name : `${Name}.${Leaf<Tree[Name]>}`;
}[keyof Tree & string];

/** What a message's arguments may be. Numbers are written as the locale writes them. */
export type Values = Readonly<Record<string, string | number>>;

interface Branch {
  readonly [name: string]: string | Branch;
}
type Message = string | IntlMessageFormat;

const catalogues: Readonly<Record<Language, Branch>> = { en: english, de: german };
const britain: Speech = { language: 'en', locale: 'en-GB' };
const inBritain = { speech: britain, prepared: new Map<string, Message>() };
let { speech, prepared } = inBritain;

/** From now on everything is said so. To be called before the first word is said; what was said stays as it is. */
export function speak(next: Speech): void {
  speech = next;
  prepared = new Map();
}

export function currentSpeech(): Speech {
  return speech;
}

/** The words of a key in the language that is spoken now. Throws when a value that the message needs is missing. */
export function say(key: Key, values: Values = {}): string {
  let message = prepared.get(key);
  if (message === undefined) {
    message = prepare(speech, key);
    prepared.set(key, message);
  }
  return written(message, values);
}

/** In English whatever is spoken: for logs, and for records that outlive a change of language. */
export function sayInEnglish(key: Key, values: Values = {}): string {
  return inEnglish(() => say(key, values));
}

/** Whatever `words` says is said in English, numbers and sizes too. */
export function inEnglish(words: () => string): string {
  const spoken = { speech, prepared };
  ({ speech, prepared } = inBritain);
  try {
    return words();
  } finally {
    ({ speech, prepared } = spoken);
  }
}

/** Whether the catalogue has a message of this name: what was written down may name one that has gone since. */
export function isKey(name: unknown): name is Key {
  return typeof name === 'string' && find('en', name) !== undefined;
}

/** Whether the message has that argument, in English: all languages have the same. */
export function wants(key: Key, argument: string): boolean {
  const text = find('en', key) ?? '';
  return text.includes(`{${argument}}`) || text.includes(`{${argument},`);
}

function written(message: Message, values: Values): string {
  return typeof message === 'string' ? message : String(message.format({ ...values }));
}

/** A message without arguments needs no parser. */
function prepare({ language, locale }: Speech, key: Key): Message {
  const text = find(language, key) ?? find('en', key) ?? key;
  return text.includes('{') ? new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }) : text;
}

function find(language: Language, key: string): string | undefined {
  let place: string | Branch | undefined = catalogues[language];
  for (const name of key.split('.')) place = typeof place === 'object' ? place[name] : undefined;
  return typeof place === 'string' ? place : undefined;
}
