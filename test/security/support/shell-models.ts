/**
 * The words of a command line by each shell's documented rules. They throw if the shell would expand,
 * redirect or run a second command.
 */
class Interpreted extends Error {
  override readonly name = 'Interpreted';
}

interface Rules {
  /** Start a quoted word. */
  readonly quotes: string;
  /** Special outside quotes. */
  readonly operators: string;
  /** Special inside quotes. */
  readonly insideOperators: string;
  /** Characters that a backslash escapes inside quotes. */
  readonly escapedInside: string;
  /** Whether a doubled quote inside quotes is one quote. */
  readonly doubles: boolean;
}

const everywhere = '\n\r\0';
const posix = { quotes: "'", operators: '"$`&|;<>(){}[]*?~#!^', insideOperators: '', doubles: false };
const bash: Rules = { ...posix, escapedInside: '' };
const fish: Rules = { ...posix, escapedInside: "\\'" };
const powerShell: Rules = {
  quotes: '"\u201c\u201d\u201e',
  operators: "$`&|;<>(){}@#'\u2018\u2019\u201a\u201b",
  insideOperators: '$`',
  escapedInside: '',
  doubles: true,
};

function splitWords(line: string, rules: Rules): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isInside = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    const nextCharacter = line.charAt(at + 1);
    if (everywhere.includes(sign) || (isInside ? rules.insideOperators : rules.operators).includes(sign))
      throw new Interpreted(`“${sign}” in ${line}`);
    if (rules.quotes.includes(sign)) {
      if (isInside && rules.doubles && nextCharacter !== '' && rules.quotes.includes(nextCharacter))
        word += line.charAt(++at);
      else isInside = !isInside;
      word ??= '';
    } else if (
      sign === '\\' &&
      rules.quotes === "'" &&
      (!isInside || rules.escapedInside.includes(nextCharacter))
    ) {
      word = (word ?? '') + (isInside && nextCharacter === '' ? sign : nextCharacter);
      at++;
    } else if (!isInside && /[ \t]/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + sign;
  }
  if (isInside) throw new Interpreted(`an open quote in ${line}`);
  return word === null ? words : [...words, word];
}

/** The program's command line in Command Prompt with delayed expansion. */
function checkCommandPrompt(line: string): string {
  if (/[%!\n\r\0]/.test(line)) throw new Interpreted(`a variable in ${line}`);
  for (const [at, part] of line.split('"').entries())
    if (at % 2 === 0 && /[&|<>^]/.test(part)) throw new Interpreted(`an operator in ${line}`);
  return line;
}

/** `CommandLineToArgvW`. */
function argumentsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isInside = false;
  for (const [piece, slashes = '', sign = ''] of line.matchAll(/(\\*)("|[^\\])|\\+$/g)) {
    if (sign === '"') {
      word = (word ?? '') + '\\'.repeat(Math.floor(slashes.length / 2));
      if (slashes.length % 2 === 1) word += sign;
      else isInside = !isInside;
    } else if (!isInside && /^[ \t]$/.test(sign) && slashes === '') {
      if (word !== null) words.push(word);
      word = null;
    } else if (!isInside && /^[ \t]$/.test(sign)) {
      words.push((word ?? '') + slashes);
      word = null;
    } else word = (word ?? '') + piece;
  }
  return word === null ? words : [...words, word];
}

/** Windows PowerShell quotes a word for the program only if it contains a space. */
function powerShellLine(line: string): string {
  return splitWords(line, powerShell)
    .map((word) => (word.includes(' ') ? `"${word}"` : word))
    .join(' ');
}

/** Splits a line by shell, and throws if the shell would do anything else. */
export const shellModels = {
  posix: { bash: (line: string) => splitWords(line, bash), fish: (line: string) => splitWords(line, fish) },
  windows: {
    'Command Prompt': (line: string) => argumentsOf(checkCommandPrompt(line)),
    PowerShell: (line: string) => argumentsOf(powerShellLine(line)),
    'PowerShell, starting a batch file': (line: string) =>
      argumentsOf(checkCommandPrompt(powerShellLine(line))),
  },
} as const;
