/**
 * The installed command's launcher (build/command/) passes `--cli -- …`: after the dashes nothing is a
 * switch.
 */
const commandMarker = '--cli';

/** Null for a launch of the desktop. Pure. */
export function commandArguments(args: readonly string[]): readonly string[] | null {
  const end = args.indexOf('--');
  // Link launches have another marker there (arguments.ts).
  return end > 0 && args[end - 1] === commandMarker ? args.slice(end + 1) : null;
}
