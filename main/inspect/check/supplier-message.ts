import type { Terminal } from '../../../shared/how-to/shell-words.ts';
import { type CheckReport, type Line, linesOfLevel } from './check-report.ts';

/** More files of a finding are only counted. */
const namesAtMost = 20;
const levels = ['will-fail', 'may-disappoint'] as const;

/**
 * Lines of a message to the supplier of the data: which files are wrong, why, and how to fix them. Pure.
 *
 * @param remote the service's own message, if any
 */
export function supplierMessage(
  { sources }: CheckReport,
  remote: string | null,
  terminal: Terminal,
): readonly Line[] {
  const faulty = sources.filter(({ findings }) => findings.some(({ level }) => level !== 'worth-knowing'));
  const paths = (faulty.length > 0 ? faulty : sources).flatMap((source) => source.paths);
  // Several assets may come from one folder.
  const allNames = [...new Set(paths.map(nameOf))];
  const names = { names: allNames.slice(0, namesAtMost), more: Math.max(0, allNames.length - namesAtMost) };
  return [
    { depth: 0, text: { key: 'supplier.intro', values: { names } } },
    ...faulty.flatMap(({ findings }): readonly Line[] => [
      { depth: 0, text: '' },
      ...levels.flatMap((level) =>
        linesOfLevel(findings, level, terminal, { maxNames: namesAtMost, reader: 'supplier' }),
      ),
    ]),
    ...(remote === null
      ? []
      : ([
          { depth: 0, text: '' },
          { depth: 0, text: { key: 'supplier.service', values: { remote } } },
        ] as const)),
    { depth: 0, text: '' },
    { depth: 0, text: { key: 'supplier.end' } },
  ];
}

/** The last name of a path: the supplier doesn't know this computer's folders. */
const nameOf = (path: string): string => path.replace(/^.*[/\\](?=[^/\\])/, '');
