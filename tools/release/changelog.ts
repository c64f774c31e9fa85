const unreleased = '## [Unreleased]';

/** The next heading, or the links below the last section. */
const end = /^(## |\[[^\]]+\]: )/m;

/** Link to the changes since the previous version. */
const compareLink = /^\[Unreleased\]: (\S+\/compare\/)v?(\S+?)\.\.\.HEAD$/m;

/**
 * Moves the unreleased section under the version's heading. Pure. Throws if nothing is unreleased or the
 * version already has a heading.
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
    (_, compare: string, previousTag: string) =>
      `[Unreleased]: ${compare}v${version}...HEAD\n[${version}]: ${compare}v${previousTag}...v${version}`,
  );
}

/** A version's section of the changelog, without its heading. Pure. Throws if it is missing or empty. */
export function notesOf(text: string, version: string): string {
  const notes = section(text, `## [${version}]`)?.trim();
  if (!notes) throw new Error(`CHANGELOG.md says nothing of ${version}.`);
  return `${notes}\n`;
}

/** Text below a heading, or undefined without the heading. */
function section(text: string, heading: string): string | undefined {
  const lines = `\n${text}`;
  const headingIndex = lines.indexOf(`\n${heading}`);
  if (headingIndex < 0) return undefined;
  const startIndex = lines.indexOf('\n', headingIndex + 1);
  const textAfter = startIndex < 0 ? '' : lines.slice(startIndex + 1);
  const stop = textAfter.search(end);
  return stop < 0 ? textAfter : textAfter.slice(0, stop);
}
