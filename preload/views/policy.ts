/** What the administrator of this computer has set, and the person can't change. Null: it is theirs. */
export interface PolicyView {
  /** Of the file that says so. */
  readonly path: string;
  /** Offered at sign-in; a client id among them is not the person's to change. */
  readonly services:
    | readonly { readonly name: string; readonly baseUrl: string; readonly clientId?: string }[]
    | null;
  /** No other services may be used. */
  readonly onlyThose: boolean;
  readonly proxy:
    | { readonly mode: 'system' | 'direct' }
    | { readonly mode: 'fixed'; readonly server: string }
    | { readonly mode: 'pac'; readonly address: string }
    | null;
  readonly caFile: string | null;
  /** Whether storage may be spoken to without encryption. */
  readonly plainStorage: boolean | null;
  readonly updates: { readonly allowed: boolean; readonly channel: 'latest' | 'beta' | null } | null;
  /** Only what lies in these folders may be watched. */
  readonly watchRoots: readonly string[] | null;
  /** How many watch rules it sets; null: it says nothing of them. */
  readonly watchRules: number | null;
}
