import { isReleaseKey } from './release-signature.ts';

/**
 * Who may release Tilelift: Ed25519 public keys (RFC 8032), 32 bytes in base64. Two, so that one can be retired while the other still
 * reaches every copy (docs/release.md). A key of zeros stands where there is none yet; a build without any takes no updates.
 */
const keys = ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='];

/** The keys that there are. */
export const releaseKeys: readonly string[] = keys.filter(isReleaseKey);
