const unreleased = '## [Unreleased]';

/** A section's heading, or the links that may stand below the last one. */
const end = /^(## |\[[^\]]+\]: )/m;

/** Where the links of the sections lead, where there are any: what changed since the version before. */
const compareLink = /^\[Unreleased\]: (\S+\/compare\/)v?(\S+?)\.\.\.HEAD$/m;

/**
 * The changelog with what was unreleased under the version's heading, and room for what comes next. Pure.
 * Throws when there is nothing to release, or the version has its heading already.
 * @param date of the release, YYYY-MM-DD
 */
export function releasedChangelog(text: string, version: string, date: string): string {
  if (section(text, `## [${version}]`) !== undefined)
    throw new Error(`CHANGELOG.md has a section for ${version} already.`);
  const notes = section(text, unreleased);
  if (notes === undefined) throw new Error(`CHANGELOG.md has no section “${unreleased}”.`);
  if (!/^- /m.test(notes))
    throw new Error('CHANGELOG.md says of nothing that it is unreleased: write down what a user notices.');
  const dated = text.replace(unreleased, () => `${unreleased}\n\n## [${version}] - ${date}`);
  return dated.replace(
    compareLink,
    (_, compare: string, before: string) =>
      `[Unreleased]: ${compare}v${version}...HEAD\n[${version}]: ${compare}v${before}...v${version}`,
  );
}

/** What the changelog says of a version, without its heading. Pure. Throws when it says nothing. */
export function notesOf(text: string, version: string): string {
  const notes = section(text, `## [${version}]`)?.trim();
  if (!notes) throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return `${notes}\n`;
}

/** What stands below a heading; undefined without such a heading. */
function section(text: string, heading: string): string | undefined {
  const lines = `\n${text}`;
  const at = lines.indexOf(`\n${heading}`);
  if (at < 0) return undefined;
  const from = lines.indexOf('\n', at + 1);
  const rest = from < 0 ? '' : lines.slice(from + 1);
  const stop = rest.search(end);
  return stop < 0 ? rest : rest.slice(0, stop);
}
