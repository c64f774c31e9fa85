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
  [/\bone (asset )?of all\b|\bone each\b/, 'one asset; separate assets'],
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
  [/\b[Aa] \{service\}/, 'no article in front of a name that may begin with a vowel'],
];

const notInGerman: readonly (readonly [RegExp, string])[] = [
  [/\bvon (selbst|allein)\b/, 'automatisch'],
  [/\bmisslingt\b|\bmisslungen\b/, 'fehlgeschlagen'],
  [/\bKennw(o|ö)rt/, 'Passwort'],
  [/\bRechner/, 'Computer'],
  [/\b(geht|gehen|macht) (\S+ )?weiter\b/, 'wird fortgesetzt, fährt fort'],
  [/\bganze[rn]? Pfad\b/, 'absoluter Pfad'],
  [/\bauf dem Speicher\b/, 'im Speicher'],
  [/[Zz]usammenfassen|\bfassen\b.*\bzusammen\b/, 'zusammenführen; ein Asset erstellen'],
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

/** Key, text, and phrases that it replaced because people in the field stumbled over them. */
const plainerWords: readonly (readonly [key: string, text: string, ...oldPhrases: string[]])[] = [
  ['newAsset.kind.change', 'Change…', 'change kind', 'edit types'],
  ['findings.level.will-fail', 'Likely to fail'],
  ['findings.share.all', '{looked, plural, one {} other {all # files checked}}', 'the only file checked'],
  ['findings.share.some', '{count, number} of {looked, number}'],
  ['findings.hide', 'Dismiss', 'hide for this source'],
  ['newAsset.out.reason.note', '{names}: not data', 'could belong to several assets'],
  ['newAsset.out.reason.hidden', '{names}: hidden files are ignored'],
  ['newAsset.out.reason.foreign', '{names}: can’t be tiled', 'doesn’t list this format'],
  ['newAsset.combine.ask', 'Create one asset…', 'combine…', 'combine into one asset', 'combine it into one'],
  ['newAsset.split.kinds', '{count, plural, one {# {kind} asset} other {# {kind} assets}}', '× {kind}'],
  ['newAsset.titleOfSeveral', '{count, plural, one {# asset} other {# assets}}', 'from what you dropped'],
  ['watch.counts.waiting', '{count, number}\u00a0waiting', 'settling'],
  ['sources.why.change', '{why} Will try again when the file changes.', 'waiting for a change'],
  ['watch.counts.leftAlone', '{count, number}\u00a0ignored', 'left alone'],
  ['watchEditor.ready.label', 'Start when', 'a source is ready'],
  ['watchEditor.ready.settled', 'files stop changing'],
  ['watchEditor.ready.marker', 'a “done” file appears', 'marker file', 'name of the marker'],
  ['watchEditor.ready.checksums', 'checksums match'],
  [
    'watchEditor.more.tooLong',
    'If it may not finish within the hour',
    'longer than its credentials are valid',
  ],
  ['assets.panel.byPerson', 'by hand', 'started by hand'],
  ['uploads.summary.paused', '{count, number} paused'],
  ['job.progress.confirmed', 'Uploaded', 'all bytes confirmed', 'already in storage'],
  ['job.detail.gettingReady', 'waiting for a tiler', 'service is preparing'],
  ['history.notStarted', 'Waiting to be tiled', 'service status: not_started'],
  ['settings.updates.byBuild', 'Not available in this build.', 'this build has no update address'],
];

it.each(plainerWords)('plainer words stay: %s is “%s”', (key, text, ...oldPhrases) => {
  const messages = leaves(english);
  expect(messages.get(key)).toBe(text);
  const isOld = (message: string) => oldPhrases.some((phrase) => message.toLowerCase().includes(phrase));
  expect([...messages].filter(([, message]) => isOld(message))).toEqual([]);
});
