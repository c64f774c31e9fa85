/** The bridge to main as plain promises: a value, or an `ApiError` with what a person may be told. */

import type { CallName, Calls, ErrorRecord, EventName, Events, TileliftBridge } from '../preload/contract.ts';

/** What main answered instead of a value. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly view: ErrorRecord;

  constructor(view: ErrorRecord) {
    super(view.code);
    this.view = view;
  }
}

export interface Api {
  /** Throws `ApiError`. */
  call<Name extends CallName>(name: Name, input: Calls[Name]['input']): Promise<Calls[Name]['output']>;
  /** Returns an unsubscribe function. */
  on<Name extends EventName>(name: Name, listener: (value: Events[Name]) => void): () => void;
  pathOf(file: File): string;
}

export function connect(bridge: TileliftBridge): Api {
  return {
    async call(name, input) {
      const result = await bridge.call(name, input);
      if (!result.ok) throw new ApiError(result.error);
      return result.value;
    },
    on: (name, listener) => bridge.on(name, listener),
    pathOf: (file) => bridge.pathOf(file),
  };
}

/** Any thrown thing as something a person may be told. */
export function errorViewOf(thrown: unknown): ErrorRecord {
  if (thrown instanceof ApiError) return thrown.view;
  return { code: 'internal', retryable: true };
}
