/**
 * The command `tilelift` of the installed desktop: its launcher (build/command/) starts the program with
 * `--cli -- …`. Behind the two dashes nothing is a switch, for Chromium and Node as for us, so that whatever
 * stands among a command's arguments changes nothing of how the program starts.
 */
const commandMarker = '--cli';

/** What a command was given; null for a launch of the desktop. Pure. */
export function commandArguments(args: readonly string[]): readonly string[] | null {
  const end = args.indexOf('--');
  // Side by side: a launch by a link has its own marker there (arguments.ts).
  return end > 0 && args[end - 1] === commandMarker ? args.slice(end + 1) : null;
}
