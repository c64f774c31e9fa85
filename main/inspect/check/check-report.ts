import {
  areAllRead,
  countOf,
  type Degree,
  type DegreeGroup,
  notReadPhrases,
  notReadReasons,
} from '../../../shared/degrees.ts';
import {
  type FindingGroup,
  type FindingLevel,
  type Fix,
  factsOf,
  findingLevels,
  mattersTo,
} from '../../../shared/findings.ts';
import { howTosFor } from '../../../shared/how-to/how-to.ts';
import type { Terminal } from '../../../shared/how-to/shell-words.ts';
import { type Extent, type Seen, saidSystem } from '../../../shared/source.ts';
import { hasOption, optionFacts } from '../../../shared/tiling-options.ts';
import type { Phrase, Said } from '../../../strings/phrase.ts';
import type { PlainError } from '../../../strings/said-error.ts';
import { isKey } from '../../../strings/say.ts';
import type { CheckedRest } from '../session/session.ts';

/** An inspected source. */
export interface CheckedSource {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** Kinds of the asset and who determined them; may be empty. */
  readonly kind: { readonly from: 'type' | 'files'; readonly sourceTypes: readonly string[] };
  readonly seen: Seen;
}

/** The index is the exit code. */
const results = ['clean', 'findings', 'bad-input', 'incomplete'] as const;

/** JSON output: docs/check.md describes each field. */
export interface CheckReport {
  readonly result: (typeof results)[number];
  readonly strict: boolean;
  /** One per asset. */
  readonly sources: readonly SourceReport[];
  readonly leftOut: readonly CheckedRest[];
  readonly error?: PlainError;
}

interface SourceReport {
  readonly paths: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly kind: CheckedSource['kind'];
  /** Among files with data. */
  readonly looked: number;
  readonly total: number;
  readonly onlyInCloud: number;
  readonly unread: number;
  readonly degrees: readonly DegreeReport[];
  /** Whether there are data files and all were read as far as their format allows. */
  readonly complete: boolean;
  readonly systems: Seen['systems'];
  readonly extent: Extent | null;
  readonly findings: readonly FindingReport[];
}

type NotReadReason = (typeof notReadReasons)[number];

interface DegreeReport {
  readonly degree: Exclude<Degree, NotReadReason> | 'not-read';
  readonly reason?: NotReadReason;
  readonly count: number;
  /** Keys of the first few; empty for files that were read. */
  readonly files: readonly string[];
}

interface FindingReport extends Pick<FindingGroup, 'id' | 'values' | 'count' | 'looked' | 'total'> {
  readonly level: FindingLevel;
  readonly proof: ReturnType<typeof factsOf>['proof'];
  /** Keys, capped. */
  readonly files: readonly string[];
  /** Choices for `--options`, one of which states what the files lack. */
  readonly options?: readonly string[];
}

type CheckOutcome =
  | { readonly stopped: boolean }
  | { readonly error: PlainError; readonly isOfInput: boolean };

/**
 * Reports findings that matter to each source's kinds. They outweigh an incomplete check, since they remain
 * true. Pure.
 */
export function reportOf(
  checked: readonly CheckedSource[],
  strict: boolean,
  outcome: CheckOutcome,
  leftOut: readonly CheckedRest[] = [],
): CheckReport {
  const sources = checked.map(({ seen: results, ...source }): SourceReport => {
    const { looked: inspectedCount, total, systems, extent } = results;
    const onlyInCloud = countOf(results.degrees, 'only-in-cloud');
    const unread = countOf(results.degrees, 'unreadable');
    // If no kind is recognized, files without a degree may be data too.
    const isAllData = source.kind.sourceTypes.length > 0 || total === source.files;
    const complete = results.state === 'done' && areAllRead(results.degrees) && isAllData;
    const degrees = results.degrees.map(degreeOf);
    const findings = results.findings
      .filter(({ id }) => mattersTo(id, source.kind.sourceTypes))
      .map(({ id, values, count, looked: inspectedCount, total, keys, fix }) => {
        const { level, proof } = factsOf(id);
        const options = choicesOf(fix, source.kind.sourceTypes);
        return {
          id,
          level,
          proof,
          ...(values && { values }),
          count,
          looked: inspectedCount,
          total,
          files: keys,
          ...(options && { options }),
        };
      })
      .sort((a, b) => rankOf(a) - rankOf(b) || b.count - a.count || (a.id < b.id ? -1 : 1));
    const counts = { looked: inspectedCount, total, onlyInCloud, unread, degrees, complete };
    return { ...source, ...counts, systems, extent, findings };
  });
  const error = 'error' in outcome ? outcome.error : undefined;
  const isWhole = error === undefined && !('stopped' in outcome && outcome.stopped);
  const counts: readonly FindingLevel[] = strict ? ['will-fail', 'may-disappoint'] : ['will-fail'];
  const isFound = sources.some(({ findings }) => findings.some(({ level }) => counts.includes(level)));
  const result = (): CheckReport['result'] => {
    if ('isOfInput' in outcome && outcome.isOfInput) return 'bad-input';
    if (isFound) return 'findings';
    const isComplete = isWhole && sources.length > 0 && sources.every(({ complete }) => complete);
    return isComplete ? 'clean' : 'incomplete';
  };
  return { result: result(), strict, sources, leftOut, ...(error && { error: factsOfError(error) }) };
}

function choicesOf(fix: Fix | undefined, sourceTypes: readonly string[]): readonly string[] | undefined {
  if (fix?.kind !== 'option' || !sourceTypes.some((type) => hasOption(type, fix.option))) return undefined;
  return optionFacts(fix.option).choices?.map((choice) => `${fix.option}=${choice}`);
}

const groupOf = ({ degree, reason, count, files }: DegreeReport): DegreeGroup => ({
  ...{ degree: reason ?? (degree as Degree), count, examples: files },
});

function degreeOf({ degree, count, examples: files }: DegreeGroup): DegreeReport {
  const reason = notReadReasons.find((notReadReason) => notReadReason === degree);
  if (reason) return { degree: 'not-read', reason, count, files };
  return { degree: degree as Exclude<Degree, NotReadReason>, count, files };
}

/** 0 clean, 1 findings, 2 bad input, 3 incomplete. */
export const exitCodeOf = ({ result }: CheckReport): number => results.indexOf(result);

/** A line of text with its indentation level. */
export interface Line {
  readonly depth: number;
  readonly text: Said;
}

const namedAtMost = 3;
const systemsAtMost = 5;

/** Returns the report as text, without the error. `terminal`: shell for the commands. */
export function linesOf({ sources, leftOut }: CheckReport, terminal: Terminal): readonly Line[] {
  const blocks = [
    ...(sources.length > 1 ? [[summaryLine(sources)]] : []),
    ...sources.map((source) => linesOfSource(source, terminal)),
    ...(leftOut.length > 0 ? [linesOfRest(leftOut, terminal)] : []),
  ];
  return blocks.flatMap((block, index) => [...(index === 0 ? [] : [line(0, '')]), ...block]);
}

function summaryLine(sources: readonly SourceReport[]): Line {
  const types = [...new Set(sources.flatMap(({ kind }) => kind.sourceTypes))];
  const values = { count: sources.length, kinds: { list: types.map(kindName) } };
  return line(0, types.length === 0 ? { key: 'check.assets', values } : { key: 'check.assetsOf', values });
}

function linesOfRest(leftOut: readonly CheckedRest[], terminal: Terminal): readonly Line[] {
  const count = leftOut.reduce((sum, { files }) => sum + files, 0);
  const size = { bytes: leftOut.reduce((sum, { bytes }) => sum + bytes, 0) };
  return [
    line(0, { key: 'check.leftOut', values: { count, size } }),
    ...leftOut.flatMap(({ reason, files, names }) => [
      line(1, { key: `newAsset.out.reason.${reason}`, values: { names: shortenNames(names, files) } }),
      ...(reason === 'foreign' ? howToLines(names, terminal) : []),
    ]),
  ];
}

function linesOfSource(source: SourceReport, terminal: Terminal): readonly Line[] {
  const { paths, files, bytes, looked: inspectedCount, total, complete, degrees, systems, findings } = source;
  const isStopped = inspectedCount < total;
  return [
    line(0, {
      key: 'check.source',
      values: { paths: shortenNames(paths, paths.length), count: files, size: { bytes } },
    }),
    line(0, kindLine(source.kind)),
    line(0, { key: isStopped ? 'check.stopped' : 'check.looked', values: { looked: inspectedCount, total } }),
    ...(isStopped && degrees.length === 0
      ? []
      : notReadPhrases(degrees.map(groupOf)).map((phrase) => line(0, phrase))),
    ...(systems.length > 0 ? [line(0, systemsLine(systems))] : []),
    ...(findings.length === 0 && degrees.length > 0
      ? [line(0, { key: complete ? 'check.nothing' : 'check.incomplete' })]
      : []),
    ...findingLevels.flatMap((level) => linesOfLevel(findings, level, terminal)),
  ];
}

/** Findings of a level with advice for the reader and the names of at most `maxNames` files each. */
export function linesOfLevel(
  findings: readonly FindingReport[],
  level: FindingLevel,
  terminal: Terminal,
  { maxNames = namedAtMost, reader = 'user' }: LevelOptions = {},
): readonly Line[] {
  const levelFindings = findings.filter((finding) => finding.level === level);
  if (levelFindings.length === 0) return [];
  return [
    line(0, { key: `findings.level.${level}` }),
    ...levelFindings.flatMap(({ id, values, count, files, options = [] }) => [
      line(1, { key: `findings.${id}.title`, values: { ...values, count } }),
      ...(files.length > 0
        ? [
            line(2, {
              key: 'check.files',
              values: { names: shortenNames(files, count, maxNames) },
            } satisfies Phrase),
          ]
        : []),
      line(2, { key: adviceKey(id, reader), values: { ...values, count } }),
      ...(options.length > 0 ? [line(2, { key: 'check.options' })] : []),
      ...options.map((option) => line(3, `--options ${option}`)),
      ...(aboutFormats.has(id) ? howToLines(files, terminal) : []),
    ]),
  ];
}

interface LevelOptions {
  readonly maxNames?: number;
  readonly reader?: 'user' | 'supplier';
}

/** A supplier can't follow advice about Tilelift's options and other assets. */
function adviceKey(id: FindingReport['id'], reader: LevelOptions['reader']): Phrase['key'] {
  const supplierKey = `findings.${id}.supplier`;
  return reader === 'supplier' && isKey(supplierKey) ? supplierKey : `findings.${id}.detail`;
}

const aboutFormats: ReadonlySet<FindingReport['id']> = new Set(['unlisted-format', 'newly-listed-format']);

function howToLines(files: readonly string[], terminal: Terminal): readonly Line[] {
  return howTosFor(files, terminal).flatMap(({ id, commands, hasStandIn }) => [
    line(2, { key: `howTo.${id}` }),
    ...commands.map((command) => line(3, command)),
    ...(hasStandIn ? [line(3, { key: 'howTo.standIn' })] : []),
  ]);
}

function kindLine({ from, sourceTypes }: CheckedSource['kind']): Said {
  const list = sourceTypes.map(kindName);
  if (list.length === 0) return { key: 'check.kind.unknown' };
  return { key: `check.kind.${from}`, values: { kinds: { list } } };
}

function kindName(type: string): Said {
  const key = `kinds.within.${type}`;
  return isKey(key) ? { key } : type;
}

function systemsLine(systems: Seen['systems']): Said {
  const names = systems.map(({ system }) => saidSystem(system));
  const shownNames = names.slice(0, systemsAtMost);
  return {
    key: 'check.systems',
    values: { count: names.length, systems: { names: shownNames, more: names.length - shownNames.length } },
  };
}

const rankOf = ({ level }: FindingReport): number => findingLevels.indexOf(level);

const line = (depth: number, text: Said): Line => ({ depth, text });

function shortenNames(names: readonly string[], count: number, limit = namedAtMost) {
  const shownNames = names.slice(0, limit);
  return { names: shownNames, more: count - shownNames.length };
}

function factsOfError({ code, subject }: PlainError): PlainError {
  return { code, ...(subject === undefined ? {} : { subject }) };
}
