/** Files to send, the same for every contender. */
export interface Work {
  readonly id: 'large' | 'small';
  /** One file, or a folder without subfolders. */
  readonly shape: 'file' | 'folder';
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/** Destination of the files. */
export interface Target {
  readonly protocol: Protocol;
  /** `http://127.0.0.1:port` or `https://…`, without a trailing slash. */
  readonly endpoint: string;
  readonly bucket: string;
  /** PEM file of the stand-in's authority, passed to all clients and used over HTTPS. */
  readonly caFile: string;
}

export type Protocol = 'http' | 'https';

export const kibibyte = 1024;
export const mebibyte = 1024 * kibibyte;
export const gibibyte = 1024 * mebibyte;
