/** Where a service is: API host and sign-in host (contract, address placeholders). No trailing slashes. */
export interface ServiceAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
}

/** A service under the name that people know it by. */
export interface NamedService extends ServiceAddress {
  readonly name: string;
}
