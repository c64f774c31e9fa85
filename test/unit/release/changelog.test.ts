import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notesOf, releasedChangelog } from '../../../tools/release/changelog.ts';

const previous = '# Changelog\n\nWhat a user notices.\n\n';
const olderSection = '## [1.0.0] - 2026-01-02\n\n### Added\n\n- All of it.\n';
const links =
  '\n[Unreleased]: https://example.com/compare/v1.0.0...HEAD\n[1.0.0]: https://example.com/releases/v1.0.0\n';
const log = (notes: string, textAfter = olderSection) =>
  `${previous}## [Unreleased]\n\n${notes}\n${textAfter}`;

/** Realistic notes: lists, headings and special characters. */
const line = fc.string({ unit: fc.constantFrom('a', 'B', '$', '&', '`', '[', ']', '(', ')', ' ', '.', 'ü') });
const notes = fc
  .array(line, { minLength: 1, maxLength: 6 })
  .map((lines) => `### Fixed\n\n${lines.map((text) => `- x${text}`).join('\n')}\n`);

describe('releasedChangelog()', () => {
  it('releasedChangelog() moves unreleased notes under version and date, and leaves an empty section', () => {
    expect(releasedChangelog(log('- Faster.\n'), '1.1.0', '2026-02-03')).toBe(
      `${previous}## [Unreleased]\n\n## [1.1.0] - 2026-02-03\n\n- Faster.\n\n${olderSection}`,
    );
  });

  it('releasedChangelog() keeps the notes of this version and of older ones', () => {
    fc.assert(
      fc.property(notes, (noteText) => {
        const released = releasedChangelog(log(noteText), '1.1.0', '2026-02-03');
        expect(notesOf(released, '1.1.0')).toBe(`${noteText.trim()}\n`);
        expect(released.endsWith(olderSection)).toBe(true);
        expect(() => notesOf(released, 'Unreleased')).toThrow('says nothing');
      }),
    );
  });

  it('releasedChangelog() needs new notes before the next release', () => {
    const released = releasedChangelog(log('- Faster.\n'), '1.1.0', '2026-02-03');
    expect(() => releasedChangelog(released, '1.1.1', '2026-02-04')).toThrow('what a user notices');
    const extended = released.replace('## [Unreleased]\n', '## [Unreleased]\n\n- Faster still.\n');
    expect(notesOf(releasedChangelog(extended, '1.1.1', '2026-02-04'), '1.1.1')).toBe('- Faster still.\n');
  });

  it('links to a comparison with the previous version if sections have links', () => {
    const released = releasedChangelog(log('- Faster.\n', olderSection + links), '1.1.0', '2026-02-03');
    expect(
      released.endsWith(
        '\n[Unreleased]: https://example.com/compare/v1.1.0...HEAD\n' +
          '[1.1.0]: https://example.com/compare/v1.0.0...v1.1.0\n' +
          '[1.0.0]: https://example.com/releases/v1.0.0\n',
      ),
    ).toBe(true);
    expect(notesOf(released, '1.0.0')).toBe('### Added\n\n- All of it.\n');
  });

  it('releasedChangelog() throws for an existing version or a missing unreleased section', () => {
    expect(() => releasedChangelog(log('- Faster.\n'), '1.0.0', '2026-02-03')).toThrow('1.0.0 already');
    expect(() => releasedChangelog(previous + olderSection, '1.1.0', '2026-02-03')).toThrow('no section');
  });
});
