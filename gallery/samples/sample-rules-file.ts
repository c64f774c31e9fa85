import type { UnreadableRuleView } from '../../preload/contract.ts';

export const unreadableRules: readonly UnreadableRuleView[] = [
  {
    id: 'later',
    name: 'Nightly scans',
    folder: '\\\\nas02\\scans\\out',
    problems: ['unit.kind must be one of these: entries, files, folders, trigger'],
  },
  {
    id: 'torn',
    name: null,
    folder: null,
    problems: ['name is missing', 'folder is missing', 'on must be true or false', 'unit is missing'],
  },
];
