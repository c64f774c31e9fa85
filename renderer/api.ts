/** The bridge to main as plain promises: a value, or an `ApiError` that can be shown. */

import type { CallName, Calls, ErrorRecord, EventName, Events, TileliftBridge } from '../preload/contract.ts';

/** Main's answer if there is no value. */
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

/** Converts any error into one that can be shown. */
export function errorViewOf(error: unknown): ErrorRecord {
  if (error instanceof ApiError) return error.view;
  return { code: 'internal', retryable: true };
}
