/**
 * The code of an error of the system or Node, such as `ENOENT`; undefined for anything thrown without one.
 */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}

/** Whether what was thrown has one of the codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(thrown);
  return code !== undefined && codes.includes(code);
}
