import type { ErrorRecord } from '../../preload/contract.ts';

export class Refusal extends Error {
  readonly view: ErrorRecord | null;
  constructor(view: ErrorRecord | null) {
    super('refused');
    this.view = view;
  }
}

export function refuseWith(view: ErrorRecord | null): void {
  if (view) throw new Refusal(view);
}
