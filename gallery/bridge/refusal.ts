import type { ErrorView } from '../../preload/contract.ts';

/** What a played call refuses with. */
export class Refusal extends Error {
  readonly view: ErrorView | null;
  constructor(view: ErrorView | null) {
    super('refused');
    this.view = view;
  }
}

export function refuseWith(view: ErrorView | null): void {
  if (view) throw new Refusal(view);
}
