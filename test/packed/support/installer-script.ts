/** What a macro of the installer's script does to the registry. */
interface RegistryWork {
  readonly written: readonly { readonly key: string; readonly name: string; readonly value: string }[];
  /** Whole keys. */
  readonly deleted: readonly string[];
}

/**
 * Reads a macro of an NSIS script. `values` are those of its variables and defines, as they stand in the
 * script.
 */
export function registryWork(
  script: string,
  macro: string,
  values: Readonly<Record<string, string>>,
): RegistryWork {
  const [, body = ''] = new RegExp(`!macro ${macro}\\n([\\s\\S]*?)!macroend`).exec(script) ?? [];
  const filled = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), body);
  const quoted = `(?:"([^"]*)"|'([^']*)')`;
  const written = filled.matchAll(new RegExp(`WriteRegStr SHELL_CONTEXT ${quoted} ${quoted} ${quoted}`, 'g'));
  const deleted = filled.matchAll(new RegExp(`DeleteRegKey SHELL_CONTEXT ${quoted}`, 'g'));
  return {
    written: [...written].map((found) => {
      const [key = '', name = '', value = ''] = [1, 3, 5].map((at) => found[at] ?? found[at + 1]);
      return { key, name, value };
    }),
    deleted: [...deleted].map((found) => found[1] ?? found[2] ?? ''),
  };
}
