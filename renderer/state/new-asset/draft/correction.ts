import type {
  AsSentView,
  ErrorRecord,
  JobView,
  SourceChanges,
  SourceView,
} from '../../../../preload/contract.ts';
import type { OptionName } from '../../../../shared/tiling-options.ts';
import { optionsDraftOf } from '../../options/options-draft.ts';
import { type Decision, type Decisions, groupId } from './decisions.ts';
import { type Draft, optionsInForm, plainDraft } from './draft.ts';
import type { FindingWords } from './findings.ts';

export interface Correction {
  readonly jobId: string;
  readonly name: string;
  readonly error: ErrorRecord | null;
  /** Storage holds these bytes under the old asset; a new asset sends them again. */
  readonly bytesDone: number;
  readonly likely: LikelyField | null;
}

type LikelyField = 'system' | 'position';

const speaksOfSystem =
  /coordinate (?:reference )?system|reference system|\b(?:crs|srs|epsg|georeferenc\w{0,8}|projection|unprojected)\b/i;
const speaksOfPosition = /\b(?:position|location|longitude|latitude|cartographic|placed|origin)\b/i;

export function likelyField(words: string): LikelyField | null {
  if (speaksOfSystem.test(words)) return 'system';
  return speaksOfPosition.test(words) ? 'position' : null;
}

/** The option that the service's message is about; null if the form lacks it. */
export function likelyOption(correction: Correction | null, draft: Draft): OptionName | null {
  if (!correction?.likely) return null;
  const option = correction.likely === 'system' ? 'inputCrs' : 'position';
  return optionsInForm(draft).includes(option) ? option : null;
}

/**
 * Id of the finding whose files need a coordinate system, if the message is about one and no option of the
 * form sets it.
 */
export function askedFinding(
  correction: Correction | null,
  draft: Draft,
  findings: readonly FindingWords[],
): string | null {
  if (correction?.likely !== 'system' || likelyOption(correction, draft)) return null;
  const askFinding = findings.find(({ ways: fixWays }) =>
    fixWays.some(({ way }) => way.kind === 'ask-system'),
  );
  return askFinding?.id ?? null;
}

export function correctionOf({ id, name, error, bytesDone }: JobView): Correction {
  return { jobId: id, name, error, bytesDone, likely: likelyField(error?.remote?.message ?? '') };
}

/** Draft with the values that were sent. Decisions about whole findings can be changed; others stay. */
export function draftAsSent(source: SourceView, sentView: AsSentView): Draft {
  const { leftOut, assigned: assignedSystems, worded: wordedSystems = [], options, ...fields } = sentView;
  const leftOutPieces = new Set(leftOut);
  const systems = new Map(
    assignedSystems.flatMap(({ epsg, keys }) => keys.map((key) => [key, epsg] as const)),
  );
  const decisions: Record<string, Decision> = {};
  for (const group of source.findings) {
    const { keys } = group;
    const epsg = systems.get(keys[0] ?? '');
    if (keys.length === 0) continue;
    if (keys.every((key) => leftOutPieces.has(key))) {
      decisions[groupId(group)] = { kind: 'leave-out' };
      for (const key of keys) leftOutPieces.delete(key);
    } else if (epsg !== undefined && keys.every((key) => systems.get(key) === epsg)) {
      decisions[groupId(group)] = { kind: 'assign', epsg };
      for (const key of keys) systems.delete(key);
    }
  }
  return {
    ...plainDraft(source),
    ...fields,
    ...optionsDraftOf(options, sentView.sourceType),
    split: false,
    decisions: decisions as Decisions,
    keptChanges: keptChanges(leftOutPieces, systems, wordedSystems),
  };
}

function keptChanges(
  leftOutPieces: ReadonlySet<string>,
  systems: ReadonlyMap<string, number>,
  wordedSystems: NonNullable<AsSentView['worded']>,
): SourceChanges | null {
  if (leftOutPieces.size + systems.size + wordedSystems.length === 0) return null;
  const bySystem = Map.groupBy(systems, ([, epsg]) => epsg);
  return {
    leftOut: leftOutPieces.size > 0 ? [{ keys: [...leftOutPieces] }] : [],
    assigned: [...bySystem].map(([epsg, files]) => ({ epsg, files: { keys: files.map(([key]) => key) } })),
    ...(wordedSystems.length > 0 && {
      worded: wordedSystems.map(({ wkt, keys }) => ({ wkt, files: { keys } })),
    }),
  };
}
