/** Steps of a refresh at which a kill is tested, in order. */
export const refreshSteps = [
  'before the request',
  'request sent, no answer yet',
  'answered, nothing written',
  'file half written',
  'file written, not flushed',
  'file flushed, not in place',
  'file in place, folder not flushed',
  'after the write',
] as const;
export type RefreshStep = (typeof refreshSteps)[number];
