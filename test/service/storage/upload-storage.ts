/** Contract 2.3: the three temporary credentials of an upload location. */
export interface UploadCredentials {
  readonly accessKey: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** What the API needs of the storage, ours or an external one. */
export interface UploadStorage {
  readonly bucket: string;
  /** S3 endpoint, no trailing slash. */
  endpoint(): string;
  /** Credentials that may write below this prefix and nowhere else. */
  giveCredentials(assetId: number, prefix: string): Promise<UploadCredentials>;
  /** Number of objects below a prefix, and their bytes. */
  measure(prefix: string): Promise<{ readonly count: number; readonly bytes: number }>;
}
