/** What people are told of one: that it has lasted, and that it is over. Times in ms since the epoch, `ms`: how long it was; `sources`: of all rules, those that go on. */
export type Outage =
  | { readonly kind: 'begun'; readonly since: number }
  | { readonly kind: 'over'; readonly since: number; readonly ms: number; readonly sources: number };

const minuteMs = 60_000;

/** For words: whole minutes, from two hours on whole hours. */
export function lengthOf(ms: number): { readonly minutes: number; readonly hours: number } {
  const minutes = Math.round(ms / minuteMs);
  return { minutes, hours: minutes < 120 ? 0 : Math.round(minutes / 60) };
}
