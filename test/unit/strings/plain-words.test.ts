import { expect, it } from 'vitest';
import german from '../../../strings/de.json' with { type: 'json' };
import english from '../../../strings/en.json' with { type: 'json' };
import { leaves } from './leaves.ts';

/** Words with their replacements: the list in strings/README.md. */
const notInEnglish: readonly (readonly [RegExp, string])[] = [
  [/\bby (itself|themselves)\b/, 'automatically'],
  [/\bgo(es|ing)? on\b/, 'continue, resume'],
  [/\bis over\b/, 'has timed out, has expired'],
  [/\b(some|any|every)body\b/, 'someone, anyone, everyone'],
  [/\bwhoever (runs|gives|helps|provides)\b/, 'the operator, the provider, support'],
  [/\breading along\b|\bon the way\b(?! to)/, 'intercepting, in transit'],
  [/\b[Gg]ive (a|an|the|it|at least|whole)\b/, 'Enter …'],
  [/\bwhole (address|path)\b/, 'full URL, absolute path'],
  [/\blook(s|ed|ing)? (through|into|for|again)\b/, 'scan, check'],
  [/\bfrom time to time\b/, 'periodically'],
  [/\bfor your (word|decision)\b|\byour word\b/, 'your confirmation'],
  [/\bthe line (is|gives)\b|\bneeds the line\b|\bfaster line\b/, 'connection; after the current upload'],
  [/\bone (asset )?of all\b|\bone each\b/, 'combine; separate assets'],
  [/\bon the ground\b|\bknow its place\b|\b[Rr]epeat equal\b/, 'terrain, georeferencing, instancing'],
  [/\b[Mm]ake (a|an|new|your|the) (first |new )?assets?\b|\basset made\b/, 'create an asset'],
  [/\bon storage\b/, 'in storage'],
  [/\b(came|come) through\b/, 'uploaded'],
  [/\bcredentials (end|ended|live)\b/, 'credentials expire, are valid'],
  [/\bsaid yes\b|\basks who\b|\bown words\b/, 'access granted; sign-in required; message from …'],
  [/\ball the same\b/, 'anyway, still'],
  [/\b(un)?mend(ed|s|ing)?\b/, 'fix, correct'],
  [/\bever more seldom\b|\bfor ever\b/, 'at increasing intervals, indefinitely'],
  [/\bsooner, and less tried\b/i, 'earlier access, less tested'],
  [/\bendings?\b(?!\})/, 'extension'],
  [/\btells? of\b/, 'report'],
  [/\b(stands?|stood) (here|in)\b/, 'is, appears'],
  [/\b[Tt]ake(n)? (it|now|what)\b/, 'upload, pick up'],
  [/\bid\b(?!\})/, 'ID'],
];

const notInGerman: readonly (readonly [RegExp, string])[] = [
  [/\bvon (selbst|allein)\b/, 'automatisch'],
  [/\bmisslingt\b|\bmisslungen\b/, 'fehlgeschlagen'],
  [/\bKennw(o|ö)rt/, 'Passwort'],
  [/\bRechner/, 'Computer'],
  [/\b(geht|gehen|macht) (\S+ )?weiter\b/, 'wird fortgesetzt, fährt fort'],
  [/\bganze[rn]? Pfad\b/, 'absoluter Pfad'],
  [/\bauf dem Speicher\b/, 'im Speicher'],
];

/** Messages with discouraged words, each with its replacement. */
function oldWords(
  catalogue: Parameters<typeof leaves>[0],
  words: readonly (readonly [RegExp, string])[],
): string[] {
  return [...leaves(catalogue)].flatMap(([key, text]) =>
    words
      .filter(([pattern]) => pattern.test(text))
      .map(([pattern, instead]) => `${key}: “${pattern.exec(text)?.[0]}”, rather: ${instead}`),
  );
}

it('discouraged words are absent in English', () => expect(oldWords(english, notInEnglish)).toEqual([]));

it('discouraged words are absent in German', () => expect(oldWords(german, notInGerman)).toEqual([]));

it.each([
  ['Check that address: somebody may be reading along.', notInEnglish],
  ['This window goes on by itself.', notInEnglish],
  ['The time for this sign-in is over.', notInEnglish],
  ['Tilelift versucht es von selbst erneut.', notInGerman],
] as const)('discouraged words would be found: %s', (text, words) =>
  expect(oldWords({ text }, words)).not.toEqual([]),
);
