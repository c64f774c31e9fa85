/**
 * Interface of the embedded service. Times are ms, sizes are bytes, lifetimes are seconds as in the contract.
 */

/** Known differences between services of this kind. A seed changes them at run time. */
export interface Behaviour {
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /**
   * `earlier`: contract part 9. Optional PKCE, only dashboard clients with their first redirect URI, no token
   * refresh.
   */
  readonly flow: 'current' | 'earlier';
  /** Spelling of the two expiry fields in a JSON token response (contract 4.3). */
  readonly expiryNames: 'expires_in' | 'expiresIn';
  /** Prefix of the sign-in host's paths: empty, or with a leading and without a trailing slash. */
  readonly signInPath: string;
  /**
   * Storage compares and confirms CRC32s, as Amazon S3 does; ignores them, as Ceph RGW 16.2 does; or refuses
   * every request that contains or declares one.
   */
  readonly checksums: 'verify' | 'ignore' | 'refuse';
}

export interface ServiceSettings extends Behaviour {
  /** 0 for any free port. */
  readonly apiPort: number;
  readonly authPort: number;
  readonly storagePort: number;
  readonly controlPort: number;
  /**
   * Host name of all addresses but the control interface's (loopback); the service listens at its address.
   */
  readonly hostName: string;
  /** Folder for objects and parts, created if missing; the caller removes it. */
  readonly dataFolder: string;
  /** `discard` only keeps sizes and hashes of objects, for very large uploads. */
  readonly keepObjects: 'disk' | 'discard';
  readonly codeSeconds: number;
  readonly uploadCredentialSeconds: number;
  /** From uploadComplete to the end of tiling. */
  readonly tilingMs: number;
  readonly accountName: string;
  /**
   * Names of further users on the sign-in page, each with their own assets. Seeds and tokens from elsewhere
   * belong to the first account.
   */
  readonly furtherAccounts: readonly string[];
  readonly dashboardClients: readonly DashboardClient[];
  /** Omits `endpoint` from upload locations, as some responses of the service do. */
  readonly omitEndpoint: boolean;
  /** Endpoint in upload locations instead of storage’s own address: a line that leads to it. */
  readonly storageLine?: () => string;
  /** Adds capabilities of the service beyond the contract: assumptions.md. */
  readonly beyondContract: boolean;
  /** Page size of ListParts; S3's is 1,000. */
  readonly partsPerPage: number;
  /** Chunked bodies (`aws-chunked`): accepted as by AWS, or refused as by Ceph RGW 16.2. */
  readonly streaming: 'aws' | 'ceph';
  /** A third-party S3 endpoint with STS. Absent: the embedded storage. */
  readonly externalStorage?: ExternalStorage;
  readonly certificate?: ServerCertificate;
  /** Another server's certificate for the fault `impostor`. Requires `certificate`. */
  readonly impostorCertificate?: ServerCertificate;
}

/** PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** An application of the dashboard (contract 5.1). */
export interface DashboardClient {
  readonly id: number;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface ExternalStorage {
  readonly endpoint: string;
  readonly region: string;
  readonly roleArn: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  /** Whether upload credentials may list parts. Default true. */
  readonly mayListParts?: boolean;
}

/**
 * An existing asset. `options`: those given at creation; all other members are fields of its record, even
 * unknown ones.
 */
export interface SeedAsset {
  /** Default: the next free one. */
  readonly id?: number | undefined;
  readonly name: string;
  readonly type: string;
  /** Default COMPLETE; only `changeAsset` changes it, or uploadComplete from AWAITING_FILES. */
  readonly status?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly [field: string]: unknown;
}

/** A token of the account's Access Tokens settings (contract 5, 2). */
interface SeedToken {
  readonly name?: string | undefined;
  readonly scopes: readonly string[];
  /** Default: a random one. */
  readonly token?: string | undefined;
}

/** State of an account and behaviour of its service. Omitted members stay unchanged. */
export interface Seed extends Partial<{ -readonly [Name in keyof Behaviour]: Behaviour[Name] | undefined }> {
  readonly assets?: readonly SeedAsset[] | undefined;
  readonly clients?: readonly DashboardClient[] | undefined;
  readonly tokens?: readonly SeedToken[] | undefined;
}

export interface Seeded {
  readonly assets: readonly number[];
  readonly tokens: readonly string[];
}

export interface EmbeddedService {
  /** `{base_url}` of the contract. */
  readonly baseUrl: string;
  /** `{auth_url}` of the contract, with the current sign-in path. */
  readonly authUrl: string;
  /** S3 endpoint: the embedded one or the external one. */
  readonly storageUrl: string;
  readonly controlUrl: string;
  readonly control: Control;
  stop(): Promise<void>;
}

/** Requests that a fault applies to. All given members must match. */
export interface FaultMatch {
  readonly room: 'api' | 'auth' | 'storage';
  readonly method?: string;
  /** Regular expression. */
  readonly path?: string;
  /** Matching requests to skip first. Default 0. */
  readonly after?: number;
  /** Default 1. */
  readonly times?: number;
}

export type FaultAction =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Resets the connection after this many bytes of the request body. */
  | { readonly kind: 'cut-request'; readonly afterBytes: number }
  /** Does the work, then resets the connection after this many bytes of the response. */
  | { readonly kind: 'cut-answer'; readonly afterBytes: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'hold' }
  /** Limits the rate of reading the request body. */
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** Accepts the request and never responds. `afterBytes` limits the bytes read from the body. */
  | { readonly kind: 'stall'; readonly afterBytes?: number }
  /** Changes one byte of the request body. */
  | { readonly kind: 'corrupt-request'; readonly atByte: number }
  /** Sends unsolicited interim responses (1xx), then does the work. */
  | { readonly kind: 'interim-answers'; readonly statuses: readonly number[] }
  /**
   * Does the work and edits its response: sets headers (null removes one) and replaces a text of the body
   * with an equally long one.
   */
  | {
      readonly kind: 'edit-answer';
      readonly headers?: Readonly<Record<string, string | null>>;
      /** Regular expression and replacement. */
      readonly body?: readonly [string, string];
    }
  /** Reads the whole request, then writes these raw bytes instead of a response, without doing the work. */
  | { readonly kind: 'raw'; readonly base64: string; readonly ending: 'close' | 'reset' }
  /**
   * HTTPS only: drops the room's connections and sends this many new ones to another server with a foreign
   * certificate and a login page, until the faults are cleared.
   */
  | { readonly kind: 'impostor'; readonly connections: number };

export interface Fault {
  readonly name?: string;
  readonly match: FaultMatch;
  readonly action: FaultAction;
}

/** Course of an asset's tiling. */
export interface TilingCourse {
  readonly end: 'COMPLETE' | 'DATA_ERROR' | 'ERROR';
  /** Statuses between start and end, by default `['NOT_STARTED', 'IN_PROGRESS']`. */
  readonly through?: readonly string[];
  /** The record's final `error` field. */
  readonly error?: string;
  /** Duration, ms. Default: the service's setting. */
  readonly ms?: number;
}

export interface RecordedRequest {
  readonly room: 'api' | 'auth' | 'storage';
  readonly method: string;
  readonly path: string;
  /** 0 until the response. */
  readonly status: number;
  /** Arrival of the request's head, ms since the epoch by the machine's clock. */
  readonly at: number;
  readonly bodyBytes: number;
  readonly fault: FaultAction['kind'] | null;
  readonly faultName: string | null;
}

export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  /** Hex SHA-256 of the whole object; empty for a multipart object without stored bytes. */
  readonly sha256: string;
}

interface ComparedObject {
  readonly key: string;
  readonly parts: readonly { readonly md5: boolean; readonly crc32: boolean }[];
}

/** For tests: faults, shortened lifetimes, and the recorded requests. Also over HTTP at `controlUrl`. */
export interface Control {
  addFault(fault: Fault): string;
  clearFaults(): void;
  /** For assets that complete later. */
  setTiling(course: TilingCourse): void;
  /** Ends the upload credentials of one asset, or of all. */
  expireUploadCredentials(assetId?: number): void;
  /** Expires the tokens of one account, by name, or of all. */
  expireAccessTokens(account?: string): void;
  revokeRefreshTokens(account?: string): void;
  /** Sets the clocks of service and storage ahead of the machine's. */
  skewClock(ms: number): void;
  /** Applies a seed. Throws an error and changes nothing if an id exists or a scope is unknown. */
  seed(seed: Seed): Seeded;
  /** Adds an asset and returns its id. Throws an error if the id exists. */
  seedAsset(asset: SeedAsset): number;
  /** Overrides fields of an asset's record. Throws an error for an unknown asset. */
  changeAsset(change: { readonly id: number; readonly [field: string]: unknown }): void;
  /** Creates a token as in the account's Access Tokens settings. */
  makeAccessToken(scopes: readonly string[]): string;
  assets(): readonly Readonly<Record<string, unknown>>[];
  /** Name of the account that created an asset; null for an unknown asset. */
  ownerOf(assetId: number): string | null;
  /** The options given at an asset's creation (contract 2.2); null for an unknown asset. */
  optionsOf(assetId: number): Readonly<Record<string, unknown>> | null;
  /** Objects below a prefix, sorted by key. Embedded storage only. */
  objects(prefix?: string): Promise<readonly StoredObject[]>;
  /**
   * Comparisons for objects: with sent checksums, or by a client that listed the parts. Embedded storage
   * only.
   */
  compared(prefix: string): readonly ComparedObject[];
  /** The bytes of an object. Only for embedded storage that keeps them. */
  readObject(key: string): AsyncIterable<Uint8Array>;
  /** Open multipart uploads. Embedded storage only. */
  openUploads(): readonly { readonly key: string; readonly uploadId: string }[];
  /** Loses parts of a key's open uploads. Embedded storage only. */
  loseParts(lostParts: { readonly key: string; readonly numbers: readonly number[] }): Promise<void>;
  /** Removes the objects below a prefix from storage and disk. Embedded storage only. */
  removeObjects(prefix: string): Promise<void>;
  /** Stops listening at the storage's address and drops connections. Embedded storage only. */
  closeStorage(): Promise<void>;
  openStorage(): Promise<void>;
  requests(): readonly RecordedRequest[];
  /**
   * All secrets given to clients, for tests that search a client's files: codes, verifiers, access and
   * refresh tokens, and the embedded storage's secret keys and session tokens.
   */
  issuedSecrets(): readonly string[];
}
