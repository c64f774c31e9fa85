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
  readonly unreadableRules: readonly UnreadableRuleView[];
  readonly file: RulesFileView;
  /** Makes its import fail for the rule at that index. */
  readonly refusedRule: { readonly index: number; readonly error: ErrorRecord } | null;
}

export const noRulesFile: RulesFileScene = {
  unreadableRules: [],
  file: { kind: 'problems', id: 'empty', path: '/home/mara/tilelift-rules.json', problems: [] },
  refusedRule: null,
};

export function playRulesFile(scene: RulesFileScene): RulesHandlers {
  let { unreadableRules } = scene;
  return {
    'rules.export': async (id) => `/home/mara/${id === null ? 'tilelift-rules' : 'rule'}.json`,
    'rules.open': async () => scene.file,
    'rules.import': async ({ rules }) =>
      scene.refusedRule
        ? { kind: 'refused', ...scene.refusedRule }
        : { kind: 'imported', count: rules.length },
    'rules.copyProblems': async () => {},
    'rules.unreadable': async () => unreadableRules,
    'rules.removeUnreadable': async (id) => {
      unreadableRules = unreadableRules.filter((rule) => rule.id !== id);
      return unreadableRules;
    },
  };
}
