/** A user name and password for a proxy. */
export interface ProxyLogin {
  readonly username: string;
  readonly password: string;
}

/** A proxy that asks for authentication. */
export interface ProxyAsk {
  /** `host:port`. */
  readonly host: string;
  /** Empty if the proxy names none. */
  readonly realm: string;
}

/** Request for a proxy login, shown one at a time. */
export interface ProxyQuestion extends ProxyAsk {
  /** Whether a login was already refused. */
  readonly again: boolean;
}
