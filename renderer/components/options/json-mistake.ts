import { type ParseError, printParseErrorCode } from 'jsonc-parser';
import { say } from '../../../strings/say.ts';

/** What is said of each of the parser's faults; of others, that it is no JSON. */
const mistakes = {
  PropertyNameExpected: 'name',
  ColonExpected: 'colon',
  CommaExpected: 'comma',
  ValueExpected: 'value',
  UnexpectedEndOfString: 'openText',
  InvalidCharacter: 'controlCharacter',
  InvalidEscapeCharacter: 'escape',
  InvalidUnicode: 'unicode',
  UnexpectedEndOfNumber: 'number',
  InvalidSymbol: 'token',
  EndOfFileExpected: 'after',
  InvalidCommentToken: 'comment',
  UnexpectedEndOfComment: 'comment',
} as const;

/** Why a text is no JSON, with its line: `Line 3: expected a value.` `faults` are the parser's, at least one. */
export function describeJsonMistake(text: string, faults: readonly ParseError[]): string {
  const [first, second] = faults.map(({ error }) => printParseErrorCode(error));
  const { offset = 0, length = 0 } = faults[0] ?? {};
  const end = text.trimEnd().length;
  // A name without quotes is a symbol in the place of a name.
  const fault = first === 'InvalidSymbol' && second === 'PropertyNameExpected' ? second : first;
  const known = mistakes[fault as keyof typeof mistakes] ?? 'other';
  const mistake = offset >= end ? 'end' : known;
  return say('options.further.atLine', {
    line: lineAt(text, Math.min(offset, end)),
    mistake: say(`options.further.mistake.${mistake}`, { token: text.slice(offset, offset + length) }),
  });
}

/** The line of a position, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, Math.max(0, position)).split('\n').length;
}
