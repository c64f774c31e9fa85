import { posix, win32 } from 'node:path';
import { z } from 'zod';
import type { TileliftError } from '../errors.ts';
import { parseClientId } from '../service/client-id.ts';
import { parseServiceAddress } from '../service/service-address.ts';

/** For all users of this computer (docs/administration.md). */

/** Absolute on any system: files are also checked on other computers. */
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
  // As accounts store them.
  .transform(({ name, baseUrl, authUrl, clientId }) => ({
    name,
    ...parseServiceAddress({ baseUrl, authUrl }),
    ...(clientId === undefined ? {} : { clientId: clientId.trim() }),
  }));

/** In Chromium's syntax. */
const bypass = z.string().regex(/^[^\s,;]+$/);

const proxySchema = z.discriminatedUnion('mode', [
  /** Not the program's environment. */
  z.strictObject({ mode: z.literal('system') }),
  z.strictObject({ mode: z.literal('direct') }),
  z.strictObject({
    mode: z.literal('fixed'),
    /** Without credentials. */
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
      only: z.boolean().default(false),
    })
    .optional(),
  proxy: proxySchema.optional(),
  /** PEM. */
  caFile: absolutePath.optional(),
  updates: z
    .strictObject({ allowed: z.boolean().default(true), channel: z.enum(['latest', 'beta']).optional() })
    .optional(),
  storage: z.strictObject({ plainHttp: z.boolean() }).optional(),
  /** Services in private networks by http. */
  plainServices: z.strictObject({ allowed: z.boolean() }).optional(),
  watch: z.strictObject({ roots: z.array(absolutePath).min(1).max(1_000).readonly() }).optional(),
  /** `main/watch` reads each separately: a faulty one leaves the policy in force. */
  watchRules: z.unknown().optional(),
});

/** The JSON Schema of a policy file (docs/policy/policy.schema.json), as text. */
export function policySchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(policySchema, { io: 'input' }), null, 2)}\n`;
}

export type Policy = z.infer<typeof policySchema>;
export type PolicyProxy = z.infer<typeof proxySchema>;

/** The policy of this launch. */
export type PolicyState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'in-force';
      readonly path: string;
      readonly policy: Policy;
      /** To locate problems. */
      readonly rulesFrom?: string;
    }
  /** The administrator's intent is unknown. */
  | { readonly kind: 'unusable'; readonly path: string; readonly error: TileliftError };

export const noPolicy: PolicyState = { kind: 'none' };

/** Empty without a usable policy. */
export function policyIn(state: PolicyState): Policy {
  return state.kind === 'in-force' ? state.policy : {};
}

/** Null without watch rules. */
export function policyRulesText(state: PolicyState): string | null {
  return state.kind === 'in-force' ? (state.rulesFrom ?? null) : null;
}

/** Returns `http://proxy.office:3128`; null unless it is an HTTP proxy. */
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
