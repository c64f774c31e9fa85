export type RuleAction = 'edit' | 'pause' | 'resume' | 'activity' | 'csv' | 'json' | 'export' | 'remove';
