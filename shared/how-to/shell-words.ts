/** Names of files as words of a command that a person pastes into a terminal. Pure. */

/** Whose terminal: what OSGeo4W and the Command Prompt read on Windows, a POSIX shell elsewhere. */
export type Terminal = 'windows' | 'posix';

const plain = /^[\w./+@-]+$/;
/** A terminal may take them for a line of its own, a key, or something that hides the rest of the line. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/**
 * Inside of quotes the Command Prompt replaces `%NAME%`, and PowerShell, into which the same command may be
 * pasted, `$name` and `$(…)`; the backtick and each kind of double quote end or change a quoted word there.
 */
const readByWindows = /["%$`\u201c-\u201e]/;

/**
 * The name of a file as one word, for a program to read as a file: null where no quoting is safe in each
 * terminal of the system. `name` may hold folders.
 */
export function quoteFile(name: string, terminal: Terminal): string | null {
  if (name === '' || hidden.test(name)) return null;
  // Otherwise an option, or for GDAL a driver’s prefix (`PG:…`), which a file may be called as well.
  const isBare = /^-/.test(name) || (/:/.test(name) && !/^[a-z]:[\\/]/i.test(name) && !name.startsWith('/'));
  const file = isBare ? `./${name}` : name;
  if (plain.test(file)) return file;
  if (terminal === 'posix') return `'${file.replaceAll("'", "'\\''")}'`;
  return readByWindows.test(file) || file.endsWith('\\') ? null : `"${file}"`;
}
