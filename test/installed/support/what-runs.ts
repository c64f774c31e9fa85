const allowed = [
  /^package\.json$/,
  /^build\/(tray\/[\w@.]+|icons\/256x256)\.png$/,
  /^out\/main\/([\w-]+\/)*[\w-]+\.js$/,
  /^out\/main\/laz-perf\.wasm$/,
  /^out\/preload\/index\.c?js$/,
  /^out\/renderer\/index\.html$/,
  /^out\/renderer\/assets\/[\w.-]+\.(js|css|woff2|svg|png)$/,
];

/**
 * Of the paths in an archive, those that are no part of what runs: sources, tests, maps, packages and
 * whatever else has no place there.
 */
export const strangers = (paths: readonly string[]) =>
  paths.filter((path) => !allowed.some((pattern) => pattern.test(path)));
