import type {
  CallName,
  Calls,
  ErrorRecord,
  RulesFileView,
  UnreadableRuleView,
} from '../../preload/contract.ts';

type RulesCall = Extract<CallName, `rules.${string}`>;
type RulesHandlers = { [Name in RulesCall]: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']> };

export interface RulesFileScene {
  readonly unreadable: readonly UnreadableRuleView[];
  readonly file: RulesFileView;
  /** Makes its import fail for the rule at that index. */
  readonly refused: { readonly index: number; readonly error: ErrorRecord } | null;
}

export const noRulesFile: RulesFileScene = {
  unreadable: [],
  file: { kind: 'problems', id: 'empty', path: '/home/mara/tilelift-rules.json', problems: [] },
  refused: null,
};

export function playRulesFile(scene: RulesFileScene): RulesHandlers {
  let { unreadable } = scene;
  return {
    'rules.export': async (id) => `/home/mara/${id === null ? 'tilelift-rules' : 'rule'}.json`,
    'rules.open': async () => scene.file,
    'rules.import': async ({ rules }) =>
      scene.refused ? { kind: 'refused', ...scene.refused } : { kind: 'imported', count: rules.length },
    'rules.copyProblems': async () => {},
    'rules.unreadable': async () => unreadable,
    'rules.removeUnreadable': async (id) => {
      unreadable = unreadable.filter((rule) => rule.id !== id);
      return unreadable;
    },
  };
}
