import type { Command } from '../measure.ts';
import type { Target, Work } from '../work.ts';

export interface Contender {
  readonly name: string;
  readonly role: 'ours' | 'peer' | 'ceiling';
  /** Whether storage can tell from what it sends that bytes have changed on the way. */
  readonly sendsChecksum: boolean;
  /** Settings that matter, and what of integrity is on. */
  readonly about: string;
  /** Why it can't send there; null or absent where it can. */
  readonly missingFor?: (target: Target) => string | null;
  readonly command: (work: Work, target: Target) => Command;
}

/** A program that may not be installed. */
export type Found = { readonly contenders: readonly Contender[] } | { readonly missing: string };

/** Anything does: the stand-in checks no signatures, but everyone signs. */
export const credentials = {
  accessKey: 'benchmark',
  secretAccessKey: 'benchmark-secret',
  sessionToken: 'benchmark-session-token'.repeat(16),
};

const foreign = /^(aws_|rclone_|ssl_cert|node_|npm_|.*_proxy$|.*ca_bundle$)/i;

/** This process's environment without what would steer a contender: other authorities, proxies, profiles. */
export function plainEnvironment(added: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !foreign.test(name)) env[name] = value;
  }
  return { ...env, ...added };
}
