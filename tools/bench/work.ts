/** What is sent: the same files for every contender. */
export interface Work {
  readonly id: 'large' | 'small';
  /** One file, or a folder of files without subfolders. */
  readonly shape: 'file' | 'folder';
  readonly path: string;
  readonly files: number;
  /** Of all files together. */
  readonly bytes: number;
}

/** Where it is sent. */
export interface Target {
  readonly protocol: Protocol;
  /** `http://127.0.0.1:port` or `https://…`, without a trailing slash. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The authority that vouches for the stand-in: a PEM file. Told to everyone, used over HTTPS. */
  readonly caFile: string;
}

export type Protocol = 'http' | 'https';

export const kibibyte = 1024;
export const mebibyte = 1024 * kibibyte;
export const gibibyte = 1024 * mebibyte;
