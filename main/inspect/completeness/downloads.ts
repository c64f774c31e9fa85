/** Suffixes of control files next to an incomplete download. */
const suffixes = [
  ...['.aria2', '.st', '.lftp-pget-status', '.crdownload', '.part', '.partial', '.filepart'],
  ...['.download', '.opdownload', '.upload', '.uploading', '.incomplete', '.temp', '.writing', '.bts'],
];

/** Returns the lower-case name of the file that a control file belongs to; null for other files. */
export function nameOfDownload(name: string): string | null {
  const low = name.toLowerCase();
  const suffix = suffixes.find((ending) => low.endsWith(ending));
  return suffix === undefined ? null : low.slice(0, -suffix.length);
}
