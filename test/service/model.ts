/**
 * What the embedded service takes and gives. Times are ms, sizes are bytes, life times are seconds as in the
 * contract.
 */

/** Where services of this kind have been seen to differ. A seed changes it while the service runs. */
export interface Behaviour {
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /**
   * `earlier`: contract part 9. PKCE only where a client wants it, clients of the dashboard alone and of each
   * the first redirect URI alone, tokens without refresh.
   */
  readonly flow: 'current' | 'earlier';
  /** How the JSON body of a token answer spells the two expiry fields (contract 4.3). */
  readonly expiryNames: 'expires_in' | 'expiresIn';
  /** In front of every path of the sign-in host: empty, or one that begins with a slash and ends without. */
  readonly signInPath: string;
  /**
   * Whether storage compares the CRC32s that it is given and says so, as Amazon S3 does; or takes them
   * without a look, as Ceph RGW 16.2 does; or refuses every request that comes with one, or declares them.
   */
  readonly checksums: 'verify' | 'ignore' | 'refuse';
}

export interface ServiceSettings extends Behaviour {
  /** 0 takes any free one. */
  readonly apiPort: number;
  readonly authPort: number;
  readonly storagePort: number;
  readonly controlPort: number;
  /**
   * In all addresses but that of the control interface, which stays on loopback. Listens at the address of
   * this computer that the name stands for.
   */
  readonly hostName: string;
  /** Folder for objects and parts. Made when missing; the caller removes it. */
  readonly dataFolder: string;
  /** `discard` keeps sizes and hashes of objects but not their bytes: for very large uploads. */
  readonly keepObjects: 'disk' | 'discard';
  readonly codeSeconds: number;
  readonly uploadCredentialSeconds: number;
  /** How long tiling takes from uploadComplete to its end. */
  readonly tilingMs: number;
  /** Name of the account on the authorization page. */
  readonly accountName: string;
  /**
   * Names of further users of the service, who sign in on the same page. Each has assets of its own; seeds,
   * and tokens that are not from the page, are of the first account.
   */
  readonly furtherAccounts: readonly string[];
  /** Clients registered in the dashboard: numeric id, name, redirect addresses. */
  readonly dashboardClients: readonly DashboardClient[];
  /** Leave `endpoint` out of upload locations, as some answers of the service do. */
  readonly omitEndpoint: boolean;
  /** What upload locations name in place of storage’s own address: a line that leads to it. */
  readonly storageLine?: () => string;
  /** Parts on one page of ListParts, at most. S3's own is 1,000. */
  readonly partsPerPage: number;
  /** Bodies in chunks (`aws-chunked`): taken as AWS takes them, or refused as Ceph RGW 16.2 does. */
  readonly streaming: 'aws' | 'ceph';
  /** Storage that is not ours: an S3 endpoint with STS. Absent: the embedded storage. */
  readonly externalStorage?: ExternalStorage;
  /** All three listeners over HTTPS with it. Absent: plain HTTP. */
  readonly certificate?: ServerCertificate;
  /** Of another server, for the fault `impostor`. Needs `certificate`. */
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
  /** False: upload credentials may not ask which parts have arrived. Default true. */
  readonly mayListParts?: boolean;
}

/**
 * An asset that is there already. `options` are those that it was created with; every other member is a field
 * of its record, those that the contract does not know too.
 */
export interface SeedAsset {
  /** The next free one unless given. */
  readonly id?: number | undefined;
  readonly name: string;
  readonly type: string;
  /** COMPLETE unless given; it stays what it is until `changeAsset` or, at AWAITING_FILES, uploadComplete. */
  readonly status?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly [field: string]: unknown;
}

/** A token of the account's Access Tokens settings (contract 5, 2). */
interface SeedToken {
  /** For whoever reads the seed. */
  readonly name?: string | undefined;
  readonly scopes: readonly string[];
  /** The token itself; a random one unless given. */
  readonly token?: string | undefined;
}

/** What an account and its service are like, all at once. What is left out stays as it is. */
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
  /** `{auth_url}` of the contract, with the sign-in path of now. */
  readonly authUrl: string;
  /** S3 endpoint: the embedded one or the external one. */
  readonly storageUrl: string;
  /** The control interface over HTTP, for other processes. */
  readonly controlUrl: string;
  readonly control: Control;
  stop(): Promise<void>;
}

/** Which requests a fault meets. All that is given must match. */
export interface FaultMatch {
  readonly room: 'api' | 'auth' | 'storage';
  readonly method?: string;
  /** Regular expression over path and query. */
  readonly path?: string;
  /** Lets this many matching requests through first. Default 0. */
  readonly after?: number;
  /** Meets this many requests, then is spent. Default 1. */
  readonly times?: number;
}

export type FaultAction =
  /** Answers without doing the work. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Resets the connection after this many bytes of the request body have arrived. */
  | { readonly kind: 'cut-request'; readonly afterBytes: number }
  /**
   * Does the work, then resets the connection after this many bytes of the answer. 0: the answer is lost
   * whole.
   */
  | { readonly kind: 'cut-answer'; readonly afterBytes: number }
  | { readonly kind: 'delay'; readonly ms: number }
  /** Does the work once the faults are cleared. */
  | { readonly kind: 'hold' }
  /** Reads the request body no faster than this. */
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** Takes the request and never answers. With `afterBytes` it reads no more than so much of the body. */
  | { readonly kind: 'stall'; readonly afterBytes?: number }
  /** One byte of the request body arrives as another one. */
  | { readonly kind: 'corrupt-request'; readonly atByte: number }
  /** Sends these interim answers (1xx), unasked, then does the work. */
  | { readonly kind: 'interim-answers'; readonly statuses: readonly number[] }
  /**
   * Does the work and changes its answer: these headers are set, or removed by null; in its body a text is
   * replaced by one of the same length.
   */
  | {
      readonly kind: 'edit-answer';
      readonly headers?: Readonly<Record<string, string | null>>;
      /** Regular expression and replacement. */
      readonly body?: readonly [string, string];
    }
  /**
   * Reads the request to its end, then writes these bytes in place of an answer, whatever they are; no work
   * is done.
   */
  | { readonly kind: 'raw'; readonly base64: string; readonly ending: 'close' | 'reset' }
  /**
   * Over HTTPS only: drops every connection of the room; so many of the next ones reach another server, whose
   * certificate is someone else's and which has a login page for whoever takes it anyway. Ends when the
   * faults are cleared. No work is done.
   */
  | { readonly kind: 'impostor'; readonly connections: number };

export interface Fault {
  /** For the record of the requests that meet it. */
  readonly name?: string;
  readonly match: FaultMatch;
  readonly action: FaultAction;
}

/** How tiling of an asset goes. */
export interface TilingCourse {
  readonly end: 'COMPLETE' | 'DATA_ERROR' | 'ERROR';
  /** Status values passed through on the way, for example `['NOT_STARTED', 'IN_PROGRESS']`, the default. */
  readonly through?: readonly string[];
  /** The `error` field of the record at its end. */
  readonly error?: string;
  /** How long it takes, ms. Default: as the service is set. */
  readonly ms?: number;
}

export interface RecordedRequest {
  readonly room: 'api' | 'auth' | 'storage';
  readonly method: string;
  readonly path: string;
  /** 0 while there is no answer. */
  readonly status: number;
  /** When its head had arrived, ms since the epoch by the machine's clock. */
  readonly at: number;
  /** Bytes of its body that arrived, whether they were of use or not. */
  readonly bodyBytes: number;
  /** The kind of fault that it met. */
  readonly fault: FaultAction['kind'] | null;
  /** What that fault was called; null without a name. */
  readonly faultName: string | null;
}

export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  /** Hex SHA-256 of the whole object; empty for a multipart object of which no bytes are kept. */
  readonly sha256: string;
}

/** Of an object: which checksums were truly compared with the bytes of each of its parts, or of the whole. */
interface ComparedObject {
  readonly key: string;
  /** In order. */
  readonly parts: readonly { readonly md5: boolean; readonly crc32: boolean }[];
}

/** For tests: faults, lives cut short, and what the service has seen. The same over HTTP at `controlUrl`. */
export interface Control {
  /** Gives the fault's id. */
  addFault(fault: Fault): string;
  clearFaults(): void;
  /** For assets completed from now on. */
  setTiling(course: TilingCourse): void;
  /** Ends the upload credentials of one asset, or of all. */
  expireUploadCredentials(assetId?: number): void;
  /** Of one account, by its name, or of all. */
  expireAccessTokens(account?: string): void;
  revokeRefreshTokens(account?: string): void;
  /** The service's and storage's clocks run this far ahead of the machine's. */
  skewClock(ms: number): void;
  /**
   * Adds assets, clients and tokens, and changes the behaviour. Throws Error, and nothing happens, when an id
   * is taken or a scope is not known.
   */
  seed(seed: Seed): Seeded;
  /** Puts an asset into the account; gives its id. Throws Error when the id is taken. */
  seedAsset(asset: SeedAsset): number;
  /** Other values for fields of an asset's record. Throws Error when there is no such asset. */
  changeAsset(change: { readonly id: number; readonly [field: string]: unknown }): void;
  /** A token as the account's Access Tokens settings make them. */
  makeAccessToken(scopes: readonly string[]): string;
  assets(): readonly Readonly<Record<string, unknown>>[];
  /** Name of the account with whose token an asset was created; null where there is no such asset. */
  ownerOf(assetId: number): string | null;
  /** The options that an asset was created with (contract 2.2); null where there is no such asset. */
  optionsOf(assetId: number): Readonly<Record<string, unknown>> | null;
  /** Objects below a prefix, sorted by key. Embedded storage only. */
  objects(prefix?: string): Promise<readonly StoredObject[]>;
  /**
   * What was compared of the objects below a prefix: with what came with the bytes, or by who was told in a
   * list. Embedded storage only.
   */
  compared(prefix: string): readonly ComparedObject[];
  /** The bytes of an object. Embedded storage that keeps them only. */
  readObject(key: string): AsyncIterable<Uint8Array>;
  /** Open multipart uploads: key and upload id. Embedded storage only. */
  openUploads(): readonly { readonly key: string; readonly uploadId: string }[];
  /** Storage loses parts of the open uploads of a key. Embedded storage only. */
  loseParts(lost: { readonly key: string; readonly numbers: readonly number[] }): Promise<void>;
  /** Takes the objects below a prefix off storage and off the disk. Embedded storage only. */
  removeObjects(prefix: string): Promise<void>;
  /** Nobody listens at the storage's address any more; connections are dropped. Embedded storage only. */
  closeStorage(): Promise<void>;
  /** Storage listens again where it did. */
  openStorage(): Promise<void>;
  requests(): readonly RecordedRequest[];
  /**
   * Everything secret that clients have held so far: codes, verifiers, access and refresh tokens, and, of the
   * embedded storage, secret keys and session tokens. For tests that search what a client keeps.
   */
  issuedSecrets(): readonly string[];
}
