/** Texts of a source's findings. */

import type { FindingGroup, FindingId, FindingLevel } from '../../../../preload/contract.ts';
import { factsOf } from '../../../../shared/findings.ts';
import { say, sayPhrase } from '../../../say.ts';
import { kindLabel } from '../../../words/kinds.ts';
import { choiceLabel } from '../../options/options.ts';
import { type Decision, groupId, type Way, waysOut } from './decisions.ts';
import { type FindingsScope, groupsThatMatter } from './draft.ts';

/** Number of added files listed by name. */
const namedAlong = 3;

export interface FindingWords {
  /** Number of the asset; null for all files as one. */
  readonly group: number | null;
  /** Stable id of the finding, unique per asset. */
  readonly id: string;
  /** Several groups may share it, with other values. */
  readonly finding: FindingId;
  readonly level: FindingLevel;
  /** `3 files have no coordinate system`. */
  readonly title: string;
  readonly titleOfOne: string;
  readonly detail: string;
  /** `3 of 12 files checked`. */
  readonly share: string;
  /** Its files; `more` counts further ones. */
  readonly keys: readonly string[];
  readonly moreCount: number;
  readonly ways: readonly { readonly way: Way; readonly label: string }[];
  /** The decision: `Left out`; null if open. */
  readonly decided: { readonly title: string; readonly detail: string } | null;
}

/** Findings with their remaining solutions, or with the decision in their place. */
export function describeFindings(scope: FindingsScope): readonly FindingWords[] {
  const { dataCount, canSplit, sourceType, decisions } = scope;
  const groups = groupsThatMatter(scope);
  const context = { groups, dataCount, canSplit, sourceType };
  return groups.map((group) => {
    const decision = decisions[groupId(group)];
    return {
      group: scope.group,
      ...describe(group),
      ways: decision
        ? []
        : waysOut(group, context).map((way) => ({ way, label: describeWay(way, group.count) })),
      decided: decision ? describeDecision(decision, group.count) : null,
    };
  });
}

function describe(group: FindingGroup): Omit<FindingWords, 'group' | 'ways' | 'decided'> {
  const { id, values, count, looked: inspectedCount, total, keys } = group;
  const shareName = inspectedCount < total ? 'sample' : count < inspectedCount ? 'some' : 'all';
  return {
    id: groupId(group),
    finding: id,
    level: factsOf(id).level,
    title: sayPhrase({ key: `findings.${id}.title`, values: { ...values, count } }),
    titleOfOne: sayPhrase({ key: `findings.${id}.title`, values: { ...values, count: 1 } }),
    detail: sayPhrase({ key: `findings.${id}.detail`, values: { ...values, count } }),
    share: say(`findings.share.${shareName}`, { count, looked: inspectedCount, total }),
    keys,
    moreCount: count - keys.length,
  };
}

function describeWay(way: Way, count: number): string {
  switch (way.kind) {
    case 'assign':
      return say('findings.ways.use', { system: `EPSG:${way.epsg}` });
    case 'assign-wkt':
      return say('findings.ways.use', { system: way.name });
    case 'ask-system':
      return say('findings.ways.assign');
    case 'switch':
      return say('findings.ways.switch', { kind: kindLabel(way.sourceType) });
    case 'split':
      return say('findings.ways.split');
    case 'leave-out':
      return say('findings.ways.leaveOut', { count });
    case 'take-along':
      return say('findings.ways.takeAlong', { count: way.paths.length });
    case 'position':
      return say('findings.ways.position');
    case 'tileset-root':
      return say('findings.ways.tilesetRoot', { name: way.key });
    case 'option':
      return choiceLabel(way.option, way.value);
  }
}

function describeDecision(decision: Decision, count: number): NonNullable<FindingWords['decided']> {
  switch (decision.kind) {
    case 'leave-out':
      return {
        title: say('findings.decided.leftOut'),
        detail: say('findings.decided.leftOutDetail', { count }),
      };
    case 'assign':
      return {
        title: say('findings.decided.assigned', { system: `EPSG:${decision.epsg}` }),
        detail: say('findings.decided.assignedDetail'),
      };
    case 'assign-wkt':
      return {
        title: say('findings.decided.assigned', { system: decision.name }),
        detail: say('findings.decided.assignedDetail'),
      };
    case 'take-along': {
      const names = decision.paths.map((path) => path.split(/[\\/]/).at(-1) ?? path);
      const hiddenCount = names.length - namedAlong;
      return {
        title: say('findings.decided.takenAlong', { count: names.length }),
        detail: sayPhrase({
          key: 'findings.decided.takenAlongDetail',
          values: {
            names: { names: names.slice(0, namedAlong), ...(hiddenCount > 0 && { more: hiddenCount }) },
          },
        }),
      };
    }
    case 'position':
      return { title: say('findings.decided.position'), detail: say('findings.decided.positionDetail') };
    case 'tileset-root':
      return { title: say('findings.decided.tilesetRoot'), detail: say('findings.decided.positionDetail') };
    case 'option': {
      const option = say(`options.fields.${decision.option}.label`);
      const choice = choiceLabel(decision.option, decision.value);
      const title = say('findings.decided.option', { option, choice });
      return { title, detail: say('findings.decided.positionDetail') };
    }
  }
}

/** A finding of one file. */
export interface FileNote extends Pick<FindingWords, 'finding' | 'level'> {
  readonly text: string;
}

export function notesByFile(findings: readonly FindingWords[]): ReadonlyMap<string, readonly FileNote[]> {
  const notes = new Map<string, FileNote[]>();
  for (const { finding, level, titleOfOne: text, keys } of findings) {
    for (const key of keys) {
      const fileNote = notes.get(key);
      if (fileNote) fileNote.push({ finding, level, text });
      else notes.set(key, [{ finding, level, text }]);
    }
  }
  return notes;
}
