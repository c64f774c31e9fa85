/**
 * A launch by a `tilelift:` link on Windows: `Tilelift.exe --link -- "%1"`. The system puts the link in as it stands, and what stands in it is anybody's: behind the two dashes nothing is a switch
 * any more, for Chromium and Node as for us, and behind the marker nothing but one link counts.
 */

/** Put before every link by what Tilelift registers. */
export const linkMarker = '--link';
const endOfSwitches = '--';

/** What the system is to put before a link. */
export const linkArguments: readonly string[] = [linkMarker, endOfSwitches];

/** The arguments that may be switches: those before the two dashes. */
export function switchesIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf(endOfSwitches);
  return end < 0 ? args : args.slice(0, end);
}

/** Whether the launch was by a link: nothing else that it brings along is the person's. */
export function isLinkLaunch(args: readonly string[]): boolean {
  return switchesIn(args).includes(linkMarker);
}

/** The arguments among which a link may be: of a launch by a link what stands behind the two dashes, and all of any other (macOS and Linux, and registrations of earlier versions). */
export function linksIn(args: readonly string[]): readonly string[] {
  return isLinkLaunch(args) ? args.slice(switchesIn(args).length + 1) : args;
}
