/** Contract 2.3: temporary credentials of an upload location. */
export interface UploadCredentials {
  readonly accessKey: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Storage as the API needs it, embedded or external. */
export interface UploadStorage {
  readonly bucket: string;
  /** S3 endpoint, no trailing slash. */
  endpoint(): string;
  /** Credentials that may only write below this prefix. */
  giveCredentials(assetId: number, prefix: string): Promise<UploadCredentials>;
  measure(prefix: string): Promise<{ readonly count: number; readonly bytes: number }>;
}
