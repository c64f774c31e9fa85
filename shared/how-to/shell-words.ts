/** The system’s shells: Command Prompt (OSGeo4W) and PowerShell, or bash, zsh and fish. */
export type Terminal = 'windows' | 'posix';

/** Excludes `@`, which PowerShell treats as a variable at the start of a word. */
const plainWord = /^[\w./+-]+$/;
/** Control characters could act as a line end or a key, or hide the rest of the line. */
const hiddenCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/**
 * Characters that no quotes protect. On Windows, Command Prompt expands `%NAME%` and, with delayed expansion,
 * `!NAME!` in double quotes. PowerShell expands `$name` and `$(…)`, backticks and all kinds of double quotes
 * change a quoted word, and it passes words without spaces to batch files unquoted, so that Command Prompt
 * operators apply. Elsewhere, fish reads `\'` in single quotes as a quote.
 */
const isUnquotable: Readonly<Record<Terminal, (name: string) => boolean>> = {
  windows: (name) => /["%!$`\u201c-\u201e]|\\$/.test(name) || (!name.includes(' ') && /[&|<>^]/.test(name)),
  posix: (name) => name.includes('\\'),
};

/** Quotes a path as one word; null if no quoting is safe in every shell of the system. */
export function quoteFile(name: string, terminal: Terminal): string | null {
  if (name === '' || hiddenCharacters.test(name) || isUnquotable[terminal](name)) return null;
  // Avoids names that look like an option or a GDAL driver prefix (`PG:…`).
  const isBare = /^-/.test(name) || (/:/.test(name) && !/^[a-z]:[\\/]/i.test(name) && !name.startsWith('/'));
  const file = isBare ? `./${name}` : name;
  if (plainWord.test(file)) return file;
  return terminal === 'posix' ? `'${file.replaceAll("'", "'\\''")}'` : `"${file}"`;
}
