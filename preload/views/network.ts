export type { Bandwidth as BandwidthView } from '../../shared/timetable.ts';

/** A proxy that wants a user name and password. */
export interface ProxyAskView {
  /** `host:port`. */
  readonly host: string;
  /** What it calls itself; empty where it doesn't. */
  readonly realm: string;
  /** What was given before was refused. */
  readonly again: boolean;
}

export interface NetworkView {
  /** Path of the file of further certificate authorities to trust; null for none. */
  readonly caFile: string | null;
  /** Null while nothing is asked. */
  readonly proxyAsks: ProxyAskView | null;
  /** Signed-in services (`baseUrl`) whose storage may be spoken to without encryption. */
  readonly plainStorage: readonly string[];
}
