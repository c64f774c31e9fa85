/** A user name and password for a proxy. */
export interface ProxyLogin {
  readonly username: string;
  readonly password: string;
}

/** A proxy that wants to know who is there. */
export interface ProxyAsk {
  /** `host:port`. */
  readonly host: string;
  /** What it calls itself; empty where it doesn't. */
  readonly realm: string;
}

/** One question at a time, for the page. */
export interface ProxyQuestion extends ProxyAsk {
  /** Something was tried and refused. */
  readonly again: boolean;
}
