/** An application of any of the three kinds (contract 2.6). */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}
