/** The version of package.json. Pure. */
export function versionOf(manifest: string): string {
  const { version } = JSON.parse(manifest);
  if (typeof version !== 'string') throw new Error('package.json has no version.');
  return version;
}

/** package.json with another version, all else as it was. Pure. */
export const withVersion = (manifest: string, version: string): string =>
  replaced(manifest, /^( {2}"version": )"[^"]*"/m, version);

/** package-lock.json with another version of the project itself, which stands there twice. Pure. */
export const lockWithVersion = (lock: string, version: string): string =>
  replaced(
    withVersion(lock, version),
    /^( {4}"": \{\n(?: {6}"name": "[^"]*",\n)? {6}"version": )"[^"]*"/m,
    version,
  );

function replaced(text: string, place: RegExp, version: string): string {
  if (!place.test(text)) throw new Error('The version is not where it is written by npm.');
  return text.replace(place, (_, before: string) => `${before}"${version}"`);
}
