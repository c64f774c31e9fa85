/** API host and sign-in host (contract, address placeholders), without trailing slashes. */
export interface ServiceAddress {
  readonly baseUrl: string;
  readonly authUrl: string;
}

export interface NamedService extends ServiceAddress {
  readonly name: string;
}
