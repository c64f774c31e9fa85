import type { ErrorRecord, RuleSnapshot, UnreadableRuleView } from '../../preload/contract.ts';
import { sampleWatch, type WatchScene } from './sample-watch.ts';

const faultyRule: ErrorRecord = {
  code: 'policy-rules-faulty',
  subject: 'watchRules[1].settleSeconds (/etc/tilelift/policy.json:31:7)',
  retryable: false,
};

/** The administrator's rules, one of them faulty, before the person's. */
export function lockedWatch(nowMs: number, accountId: string): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const lockedRule = (view: RuleSnapshot, part: Partial<RuleSnapshot> = {}) => ({
    ...view,
    ...part,
    locked: true,
  });
  const [firstFolder, second, ...otherFolders] = scene.folders;
  const set = [
    ...(firstFolder ? [lockedRule(firstFolder)] : []),
    ...(second ? [lockedRule(second, { state: 'suspended', notice: faultyRule })] : []),
  ];
  return { ...scene, folders: [...set, ...otherFolders] };
}

export const faultyOfPolicy: readonly UnreadableRuleView[] = [
  {
    id: 'policy-2',
    name: 'Orthophotos of the district',
    folder: '/srv/geodata/ortho',
    problems: [
      {
        key: 'rulesFile.problemAt',
        values: {
          line: 48,
          column: 7,
          field: 'watchRules[2].unit.kind',
          what: {
            key: 'rulesFile.problem.oneOf',
            values: { values: { names: ['entries', 'files', 'folders', 'whole-folder', 'batch'] } },
          },
        },
      },
    ],
    locked: true,
  },
];
