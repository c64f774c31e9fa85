/**
 * The installed desktop's command `tilelift`: its launcher (build/command/) passes `--cli -- …`. Arguments
 * after the two dashes are no switches for Chromium, Node or Tilelift.
 */
const commandMarker = '--cli';

/** Returns the command's arguments; null for the desktop. Pure. */
export function commandArguments(args: readonly string[]): readonly string[] | null {
  const end = args.indexOf('--');
  // The marker directly precedes the dashes; link launches have another one there (arguments.ts).
  return end > 0 && args[end - 1] === commandMarker ? args.slice(end + 1) : null;
}
