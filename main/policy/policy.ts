import { posix, win32 } from 'node:path';
import { z } from 'zod';
import type { TileliftError } from '../errors.ts';
import { parseClientId } from '../service/client-id.ts';
import { parseServiceAddress } from '../service/service-address.ts';

/**
 * What an administrator has set for everyone on this computer (docs/administration.md). Whatever a policy
 * does not name is the person's.
 */

/** One that is absolute on any system: the file is checked where it is written, too. */
const absolutePath = z
  .string()
  .max(4_000)
  .refine((path) => posix.isAbsolute(path) || (win32.isAbsolute(path) && /^([a-z]:|\\\\)/i.test(path)));

/** A service as an administrator names it. */
export const serviceSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    baseUrl: z.string().refine(isAddress),
    authUrl: z.string().refine(isAddress),
    /** A dashboard number or the address of a metadata document (contract 2.6). */
    clientId: z
      .string()
      .min(1)
      .refine((id) => succeeds(() => parseClientId(id)))
      .optional(),
  })
  // In the spelling by which accounts know their service.
  .transform(({ name, baseUrl, authUrl, clientId }) => ({
    name,
    ...parseServiceAddress({ baseUrl, authUrl }),
    ...(clientId === undefined ? {} : { clientId: clientId.trim() }),
  }));

/** A list of hosts that are reached without the proxy, as Chromium reads it; each on its own. */
const bypass = z.string().regex(/^[^\s,;]+$/);

const proxySchema = z.discriminatedUnion('mode', [
  /** What the system is set to, whatever the program was started with. */
  z.strictObject({ mode: z.literal('system') }),
  z.strictObject({ mode: z.literal('direct') }),
  z.strictObject({
    mode: z.literal('fixed'),
    /** An HTTP proxy, `http://` or `https://` before it; no user name, no password. */
    server: z.string().refine((server) => proxyServer(server) !== null),
    except: z.array(bypass).max(500).default([]).readonly(),
  }),
  z.strictObject({ mode: z.literal('pac'), address: z.url({ protocol: /^https?$/ }) }),
]);

export const policySchema = z.strictObject({
  services: z
    .strictObject({
      /** Offered at sign-in, before all others. */
      offered: z.array(serviceSchema).min(1).max(100).readonly(),
      /** No others may be used. */
      only: z.boolean().default(false),
    })
    .optional(),
  proxy: proxySchema.optional(),
  /** A PEM file of further certificate authorities. */
  caFile: absolutePath.optional(),
  updates: z
    .strictObject({ allowed: z.boolean().default(true), channel: z.enum(['latest', 'beta']).optional() })
    .optional(),
  /** Whether data may go to storage without encryption: everywhere, or nowhere. */
  storage: z.strictObject({ plainHttp: z.boolean() }).optional(),
  watch: z.strictObject({ roots: z.array(absolutePath).min(1).max(1_000).readonly() }).optional(),
  /**
   * Rules for everyone. Each is read for itself, by the room that knows what a rule is: one with a fault
   * leaves all else in force.
   */
  watchRules: z.unknown().optional(),
});

export type Policy = z.infer<typeof policySchema>;
export type PolicyProxy = z.infer<typeof proxySchema>;

/** The policy of this start. */
export type PolicyState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'in-force';
      readonly path: string;
      readonly policy: Policy;
      /** The file's text, where it has watch rules: what is wrong with one is told by its place. */
      readonly rulesFrom?: string;
    }
  /** There is a file, and nobody can say what the administrator wants. */
  | { readonly kind: 'unusable'; readonly path: string; readonly error: TileliftError };

export const noPolicy: PolicyState = { kind: 'none' };

/** What is set; nothing where there is no policy, or none that can be used. */
export function policyIn(state: PolicyState): Policy {
  return state.kind === 'in-force' ? state.policy : {};
}

/** The text of a file that only an administrator can have written, where it has watch rules; else null. */
export function policyRulesText(state: PolicyState): string | null {
  return state.kind === 'in-force' ? (state.rulesFrom ?? null) : null;
}

/** `http://proxy.office:3128` of what an administrator may write for it; null for what is no HTTP proxy. */
export function proxyServer(text: string): string | null {
  const address = text.includes('://') ? text : `http://${text}`;
  const url = /\s/.test(address) ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null;
  if (url.username || url.password || url.pathname !== '/' || url.search || url.hash) return null;
  return url.origin;
}

function isAddress(text: string): boolean {
  return succeeds(() => parseServiceAddress({ baseUrl: text, authUrl: text }));
}

function succeeds(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
