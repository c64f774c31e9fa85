/** What a card's menu can ask for. */
export type RuleAction = 'edit' | 'pause' | 'resume' | 'activity' | 'csv' | 'json' | 'export' | 'remove';
