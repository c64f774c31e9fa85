/** The package's main entry supports neither compound systems nor ESRI's heights. */
declare module 'wkt-parser/parser.js' {
  export type WktList = [keyword: string, ...values: (string | number | WktList)[]];

  /** @throws Error if the text isn't WKT */
  function parse(text: string): WktList;

  // biome-ignore lint/style/noDefaultExport: wkt-parser exports its parser by default alone
  export { parse as default };
}
