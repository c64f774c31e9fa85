import type { UnreadableRuleView } from '../../preload/contract.ts';
import type { Phrase } from '../../strings/phrase.ts';

const missingField: Phrase = { key: 'rulesFile.problem.missing' };
const oneOf: Phrase = {
  key: 'rulesFile.problem.oneOf',
  values: { values: { names: ['entries', 'files', 'folders', 'whole-folder', 'batch'] } },
};

const problem = (field: string, problemPhrase: Phrase): Phrase => ({
  key: 'rulesFile.unreadable.field',
  values: { field, what: problemPhrase },
});

export const unreadableRules: readonly UnreadableRuleView[] = [
  {
    id: 'later',
    name: 'Nightly scans',
    folder: '\\\\nas02\\scans\\out',
    problems: [problem('unit.kind', oneOf)],
  },
  {
    id: 'torn',
    name: null,
    folder: null,
    problems: [
      problem('name', missingField),
      problem('folder', missingField),
      problem('on', { key: 'rulesFile.problem.type', values: { type: { key: 'rulesFile.type.boolean' } } }),
      problem('unit', missingField),
    ],
  },
];
