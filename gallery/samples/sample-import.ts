import type { RulesFileView } from '../../preload/contract.ts';

const path = '/home/mara/Documents/tilelift-rules.json';

/** A colleague's three rules: an existing one, one without a folder, and a new one. */
export function fileOfRules(accountId: string): RulesFileView {
  const usualRule = { kindFrom: 'rule', accountId, replaces: null, isThere: true } as const;
  return {
    kind: 'rules',
    id: 'file',
    path,
    rules: [
      {
        ...usualRule,
        name: 'Drone landings',
        folder: '\\\\nas02\\uav\\incoming',
        unit: { kind: 'entries' },
        sourceType: '3D_CAPTURE',
        replaces: 'Drone landings',
      },
      {
        ...usualRule,
        name: 'Nightly scans',
        folder: 'E:\\Scans\\out',
        unit: { kind: 'files', patterns: ['*.las', '*.laz'] },
        sourceType: 'POINT_CLOUD',
        isThere: false,
      },
      {
        ...usualRule,
        name: 'Orthophotos by district',
        folder: '/srv/geodata/ortho',
        unit: { kind: 'folders', depth: 2, patterns: [] },
        sourceType: 'RASTER_IMAGERY',
      },
    ],
  };
}

export const brokenFile: RulesFileView = {
  kind: 'problems',
  id: 'broken',
  path,
  problems: [
    { line: 7, column: 7, field: 'rules[0].foldr', what: { key: 'rulesFile.problem.unknown' } },
    {
      line: 12,
      column: 7,
      field: 'rules[0].settleSeconds',
      what: { key: 'rulesFile.problem.least', values: { least: 1 } },
    },
    { line: 31, column: 5, field: 'rules[1].name', what: { key: 'rulesFile.problem.missing' } },
    {
      line: 34,
      column: 17,
      field: 'rules[1].unit.kind',
      what: {
        key: 'rulesFile.problem.oneOf',
        values: { values: { names: ['entries', 'files', 'folders', 'whole-folder', 'batch'] } },
      },
    },
  ],
};
