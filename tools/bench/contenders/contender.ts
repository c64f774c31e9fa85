import type { Command } from '../measure.ts';
import type { Target, Work } from '../work.ts';

export interface Contender {
  readonly name: string;
  readonly role: 'ours' | 'peer' | 'ceiling';
  /** Whether storage can detect corrupted bytes. */
  readonly sendsChecksum: boolean;
  readonly summary: string;
  /** Reason why it can't send to the target, or null. */
  readonly missingFor?: (target: Target) => string | null;
  readonly command: (work: Work, target: Target) => Command;
}

/** Contenders, or the reason why their program is missing. */
export type FoundContenders = { readonly contenders: readonly Contender[] } | { readonly missing: string };

/** The stand-in checks no signatures, but all clients sign. */
export const credentials = {
  accessKey: 'benchmark',
  secretAccessKey: 'benchmark-secret',
  sessionToken: 'benchmark-session-token'.repeat(16),
};

const foreignVariables = /^(aws_|rclone_|ssl_cert|node_|npm_|.*_proxy$|.*ca_bundle$)/i;

/**
 * This process's environment without variables that configure a contender (authorities, proxies, profiles).
 */
export function plainEnvironment(added: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !foreignVariables.test(name)) env[name] = value;
  }
  return { ...env, ...added };
}
