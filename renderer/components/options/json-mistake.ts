import { say } from '../../../strings/say.ts';

/** The engine's messages by how they begin, and what is said instead. */
const mistakes = [
  ['Expected property name', 'name'],
  ['Expected double-quoted property name', 'quotedName'],
  ["Expected ':'", 'colon'],
  ["Expected ',' or '}'", 'commaInObject'],
  ["Expected ',' or ']'", 'commaInArray'],
  ['Unterminated string', 'openText'],
  ['Bad control character', 'controlCharacter'],
  ['Bad escaped character', 'escape'],
  ['Bad Unicode escape', 'unicode'],
  ['Unexpected number', 'number'],
  ['No number', 'number'],
  ['Exponent part', 'number'],
  ['Unterminated fractional number', 'number'],
  ['Unexpected non-whitespace character', 'after'],
] as const;

/**
 * Why a text is no JSON, with its line where that is known: `Line 3: expected ',' or '}' after property value.`
 *
 * @param message what `JSON.parse` threw
 */
export function describeJsonMistake(text: string, message: string): string {
  // Of a single character the engine says everything but where it stands.
  const token = /^Unexpected token '(.+?)', /su.exec(message)?.[1];
  if (token !== undefined) return say('options.further.token', { token });
  const at = Number(/at position (\d+)/.exec(message)?.[1] ?? Number.POSITIVE_INFINITY);
  const end = text.trimEnd().length;
  const mistake = at >= end ? 'end' : (mistakes.find(([begin]) => message.startsWith(begin))?.[1] ?? 'other');
  return say('options.further.atLine', {
    line: lineAt(text, Math.min(at, end)),
    mistake: say(`options.further.mistake.${mistake}`),
  });
}

/** The line of a position, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, Math.max(0, position)).split('\n').length;
}
