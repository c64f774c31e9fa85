import { randomBytes } from 'node:crypto';
import type { UploadCredentials } from './upload-storage.ts';

/** Upload credentials of one asset (contract 2.3). */
export interface HeldCredentials extends UploadCredentials {
  readonly assetId: number;
  readonly prefix: string;
  /** Steady ms. */
  readonly endsAt: number;
  hasEnded: boolean;
}

/** All issued upload credentials. `now` returns steady ms. */
export class CredentialBook {
  readonly #heldCredentials = new Map<string, HeldCredentials>();
  readonly #lifeMs: number;
  readonly #now: () => number;

  constructor(lifeSeconds: number, now: () => number) {
    this.#lifeMs = lifeSeconds * 1000;
    this.#now = now;
  }

  give(assetId: number, prefix: string): UploadCredentials {
    const credentials = {
      accessKey: `TEMP${randomBytes(8).toString('hex').toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString('base64'),
      sessionToken: randomBytes(192).toString('base64'),
    };
    const endsAt = this.#now() + this.#lifeMs;
    this.#heldCredentials.set(credentials.accessKey, {
      ...credentials,
      assetId,
      prefix,
      endsAt,
      hasEnded: false,
    });
    return credentials;
  }

  secrets(): readonly string[] {
    return [...this.#heldCredentials.values()].flatMap((credentials) => [
      credentials.secretAccessKey,
      credentials.sessionToken,
    ]);
  }

  findCredentials(accessKey: string): HeldCredentials | undefined {
    return this.#heldCredentials.get(accessKey);
  }

  isExpired(credentials: HeldCredentials): boolean {
    return credentials.hasEnded || credentials.endsAt <= this.#now();
  }

  /** Ends the credentials of one asset, or all current ones. */
  expire(assetId?: number): void {
    for (const credentials of this.#heldCredentials.values()) {
      if (assetId === undefined || credentials.assetId === assetId) credentials.hasEnded = true;
    }
  }
}
