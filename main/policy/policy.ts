import { posix, win32 } from 'node:path';
import { z } from 'zod';
import type { TileliftError } from '../errors.ts';
import { parseClientId } from '../service/client-id.ts';
import { parseServiceAddress } from '../service/service-address.ts';

/**
 * The administrator's settings for all users of this computer (docs/administration.md). Users control all
 * other settings.
 */

/** Absolute on any system, since files are also checked on the computer where they are written. */
const absolutePath = z
  .string()
  .max(4_000)
  .refine((path) => posix.isAbsolute(path) || (win32.isAbsolute(path) && /^([a-z]:|\\\\)/i.test(path)));

/** A service that an administrator offers. */
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
  // Normalized in the way accounts store addresses.
  .transform(({ name, baseUrl, authUrl, clientId }) => ({
    name,
    ...parseServiceAddress({ baseUrl, authUrl }),
    ...(clientId === undefined ? {} : { clientId: clientId.trim() }),
  }));

/** A host that bypasses the proxy, in Chromium's syntax. */
const bypass = z.string().regex(/^[^\s,;]+$/);

const proxySchema = z.discriminatedUnion('mode', [
  /** The system's settings, ignoring the program's environment. */
  z.strictObject({ mode: z.literal('system') }),
  z.strictObject({ mode: z.literal('direct') }),
  z.strictObject({
    mode: z.literal('fixed'),
    /** An HTTP proxy, optionally with `http://` or `https://`, without credentials. */
    server: z.string().refine((server) => proxyServer(server) !== null),
    except: z.array(bypass).max(500).default([]).readonly(),
  }),
  z.strictObject({ mode: z.literal('pac'), address: z.url({ protocol: /^https?$/ }) }),
]);

export const policySchema = z.strictObject({
  services: z
    .strictObject({
      /** Listed first at sign-in. */
      offered: z.array(serviceSchema).min(1).max(100).readonly(),
      /** No other services may be used. */
      only: z.boolean().default(false),
    })
    .optional(),
  proxy: proxySchema.optional(),
  /** A PEM file of additional certificate authorities. */
  caFile: absolutePath.optional(),
  updates: z
    .strictObject({ allowed: z.boolean().default(true), channel: z.enum(['latest', 'beta']).optional() })
    .optional(),
  /** Whether data may be sent to storage without encryption. */
  storage: z.strictObject({ plainHttp: z.boolean() }).optional(),
  watch: z.strictObject({ roots: z.array(absolutePath).min(1).max(1_000).readonly() }).optional(),
  /**
   * Watch rules for all users. `main/watch` reads each separately, so that a faulty rule leaves the policy in
   * force.
   */
  watchRules: z.unknown().optional(),
});

export type Policy = z.infer<typeof policySchema>;
export type PolicyProxy = z.infer<typeof proxySchema>;

/** The policy of this launch. */
export type PolicyState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'in-force';
      readonly path: string;
      readonly policy: Policy;
      /** The file's text if it has watch rules, to locate their problems. */
      readonly rulesFrom?: string;
    }
  /** The file exists but can't be used, so the administrator's intent is unknown. */
  | { readonly kind: 'unusable'; readonly path: string; readonly error: TileliftError };

export const noPolicy: PolicyState = { kind: 'none' };

/** Empty without a usable policy. */
export function policyIn(state: PolicyState): Policy {
  return state.kind === 'in-force' ? state.policy : {};
}

/** The policy file's text if it has watch rules; else null. */
export function policyRulesText(state: PolicyState): string | null {
  return state.kind === 'in-force' ? (state.rulesFrom ?? null) : null;
}

/** Normalizes a policy's proxy to `http://proxy.office:3128`; null unless it is an HTTP proxy. */
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
