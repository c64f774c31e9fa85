import type { AssetType } from '../assets.ts';

/** Templates of code: what stands in for an asset, and what may not be in one. Pure. */

/** What stands in braces and is replaced. */
export const placeholders = ['assetId', 'name', 'assetType', 'service', 'page'] as const;
export type Placeholder = (typeof placeholders)[number];

/** What is known of an asset when its code is copied. */
export interface SnippetAsset {
  readonly id: number;
  readonly name: string;
  readonly assetType: AssetType;
}

/** Where an asset is: the address of the API, and that of its own page. */
export interface SnippetPlace {
  readonly service: string;
  readonly page: string;
}

/** Of a template, characters. */
export const maxSnippetText = 4_000;
/** How many templates of their own people keep. */
export const maxOwnSnippets = 30;
/** Of the name of a template, characters. */
export const maxSnippetName = 60;
/** The longest name of an asset in code, characters. */
const maxName = 200;

const known: readonly string[] = placeholders;
const inBraces = /\{([A-Za-z][\w-]{0,30})\}/g;

/** What a word in braces says, whatever its case and its hyphens. */
const plain = (word: string) => word.toLowerCase().replace(/[_-]/g, '');
/** What people write who mean one of ours. */
const meant: Readonly<Record<string, Placeholder>> = {
  ...Object.fromEntries(placeholders.map((one) => [plain(one), one])),
  id: 'assetId',
  asset: 'assetId',
  assetname: 'name',
  type: 'assetType',
  api: 'service',
  url: 'page',
  link: 'page',
};

/** Why a template can't be kept. */
export type SnippetProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long' }
  /** Characters that no editor shows. */
  | { readonly kind: 'hidden-characters' }
  /** Nothing in it says which asset. */
  | { readonly kind: 'no-asset' }
  /** Written so, it would be copied as it stands. */
  | { readonly kind: 'misspelt'; readonly written: string; readonly meant: Placeholder }
  /** What opens an account has no place on the clipboard. */
  | { readonly kind: 'secret' };

/** Whether a template can be kept; null: it can. */
export function snippetProblem(text: string): SnippetProblem | null {
  if (text.trim() === '') return { kind: 'empty' };
  if (text.length > maxSnippetText) return { kind: 'too-long' };
  if (/[^\P{C}\n\t]/u.test(text)) return { kind: 'hidden-characters' };
  if (holdsSecret(text)) return { kind: 'secret' };
  const words = [...text.matchAll(inBraces)].map(([, word = '']) => word);
  for (const word of words) {
    const wanted = known.includes(word) ? undefined : meant[plain(word)];
    if (wanted) return { kind: 'misspelt', written: word, meant: wanted };
  }
  const names = words.includes('assetId') || words.includes('page');
  return names ? null : { kind: 'no-asset' };
}

const secretShapes = [
  // A JSON Web Token.
  /\beyJ[\w-]{16,}/,
  /\bBearer\s{1,3}[\w.~+/=-]{16,}/i,
  // An access key id.
  /\b(?:AKIA|ASIA)[A-Z0-9]{12}/,
  // user:password@ in an address.
  /:\/\/[^\s/@:"'`{]{1,100}:[^\s/@"'`{]{1,100}@/,
] as const;
/** A long value in quotes behind a name that says what it is, or in an address. */
const namedValue = /(?:token|secret|password|key)\w{0,9}["'`]? ?[:=(,] ?["'`]?([\w.~+/=-]{16,})/gi;

/** Words have no digit, names in code are rarely without a lower-case letter. */
function holdsSecret(text: string): boolean {
  if (secretShapes.some((shape) => shape.test(text))) return true;
  return [...text.matchAll(namedValue)].some(([, value = '']) => /\d/.test(value) && /[A-Za-z]/.test(value));
}

/**
 * A template with the facts of an asset in it. The name of an asset is a person's text: on one line and
 * without what would end a text or a comment, or be replaced in one.
 */
export function filledSnippet(
  text: string,
  { id, name, assetType }: SnippetAsset,
  place: SnippetPlace,
): string {
  const facts: Readonly<Record<string, string>> = {
    ...{ assetId: String(id), name: tameName(name), assetType },
    ...{ service: place.service, page: place.page },
  };
  return text.replace(inBraces, (whole, word: string) => facts[word] ?? whole);
}

function tameName(name: string): string {
  return name
    .slice(0, maxName)
    .replace(/[\p{C}\p{Zl}\p{Zp}\\${}]/gu, ' ')
    .replace(/["'`]/g, '’')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('*/', '* /')
    .trim();
}

/** Whether a template asks for where its asset is. */
export function asksForPlace(text: string): boolean {
  return text.includes('{service}') || text.includes('{page}');
}
