const allowed = [
  /^package\.json$/,
  /^build\/(tray\/[\w@.]+|icons\/256x256)\.png$/,
  /^out\/main\/([\w-]+\/)*[\w-]+\.js$/,
  /^out\/main\/laz-perf\.wasm$/,
  /^out\/preload\/index\.c?js$/,
  /^out\/renderer\/index\.html$/,
  /^out\/renderer\/assets\/[\w.-]+\.(js|css|woff2|svg|png)$/,
  /^out\/globe\/index\.html$/,
  /^out\/globe\/assets\/index-[\w-]+\.(js|css)$/,
  /^out\/globe\/cesium\/(Workers|ThirdParty|Assets)\/[\w./-]+\.(js|wasm|json|svg|jpg|xml)$/,
];

/** Archive paths that aren't needed at run time: sources, tests, maps, packages and others. */
export const strangers = (paths: readonly string[]) =>
  paths.filter((path) => !allowed.some((pattern) => pattern.test(path)));
