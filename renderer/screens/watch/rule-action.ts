/** Actions of a card's menu. */
export type RuleAction = 'edit' | 'pause' | 'resume' | 'activity' | 'csv' | 'json' | 'export' | 'remove';
