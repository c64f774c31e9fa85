/** Names of files as words of a command that a person pastes into a terminal. Pure. */

/** The shells of a system: Command Prompt (OSGeo4W) and PowerShell, or bash, zsh and fish. */
export type Terminal = 'windows' | 'posix';

/** Without `@`, which PowerShell reads as a variable at the start of a word. */
const plain = /^[\w./+-]+$/;
/** A terminal may take them for a line of its own, a key, or something that hides the rest of the line. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/**
 * What no quotes keep safe. On Windows, Command Prompt replaces `%NAME%` and, with delayed expansion,
 * `!NAME!` in double quotes. PowerShell, into which the same command may be pasted, replaces `$name` and
 * `$(…)`; the backtick and each kind of double quote end or change a quoted word; and it hands a word without
 * spaces to a batch file without its quotes, so that the operators of Command Prompt apply. Elsewhere, fish
 * reads `\'` in single quotes as a quote.
 */
const isUnquotable: Readonly<Record<Terminal, (name: string) => boolean>> = {
  windows: (name) => /["%!$`\u201c-\u201e]|\\$/.test(name) || (!name.includes(' ') && /[&|<>^]/.test(name)),
  posix: (name) => name.includes('\\'),
};

/**
 * The name of a file as one word, for a program to read as a file: null where no quoting is safe in each
 * shell of the system. `name` may hold folders.
 */
export function quoteFile(name: string, terminal: Terminal): string | null {
  if (name === '' || hidden.test(name) || isUnquotable[terminal](name)) return null;
  // Otherwise an option, or for GDAL a driver’s prefix (`PG:…`), which a file may be called as well.
  const isBare = /^-/.test(name) || (/:/.test(name) && !/^[a-z]:[\\/]/i.test(name) && !name.startsWith('/'));
  const file = isBare ? `./${name}` : name;
  if (plain.test(file)) return file;
  return terminal === 'posix' ? `'${file.replaceAll("'", "'\\''")}'` : `"${file}"`;
}
