import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { knownAccountSchema } from '../shared/schemas/accounts.ts';
import { alertSecretPlacesSchema, alertSettingsSchema } from '../shared/schemas/alerts.ts';
import { presetSchema } from '../shared/schemas/presets.ts';
import {
  bandwidthSchema,
  lastChoiceSchema,
  storedSwitchesSchema,
  updatesSchema,
} from '../shared/schemas/settings.ts';
import { programsSchema } from './run-program.ts';
import { catalogues } from './say.ts';
import type { SettingsPort } from './settings-port.ts';
import { watchRuleSchema } from './watch/model/rule.ts';
import { readStoredRules, storedRules, type UnreadableRule } from './watch/rules/rules-file.ts';

const serviceEntry = z.object({ name: z.string().min(1), baseUrl: z.string(), authUrl: z.string() });

/** `accountId` owns the base terrain. */
const keptChoice = lastChoiceSchema.extend({ accountId: z.string() });

/** Drops unreadable items. */
function skipUnreadable<ItemType extends z.ZodType>(item: ItemType) {
  return z.preprocess(
    (value) => (Array.isArray(value) ? value.filter((entry) => item.safeParse(entry).success) : value),
    z.array(item),
  );
}

/** Unknown keys are dropped, missing ones get their default. */
export const settingsSchema = z.object({
  services: z.array(serviceEntry).default([]),
  /** API and sign-in address on different sites, separated by a space. */
  confirmedPairs: z.array(z.string()).readonly().default([]),
  /** API and sign-in address of services that may use http in a private network, separated by a space. */
  plainServices: z.array(z.string()).readonly().default([]),
  /** By `baseUrl`. */
  plainStorage: z.array(z.string()).readonly().default([]),
  /** By `baseUrl`: a dashboard number or a metadata document (contract 2.6). */
  clientIds: z.record(z.string(), z.string().min(1)).default({}),
  /** In order of their first sign-in. */
  accounts: skipUnreadable(knownAccountSchema).readonly().default([]),
  currentAccount: z.string().nullable().default(null),
  /** `baseUrl` of the current service: the current account's, or that of the rules file. */
  currentService: z.string().nullable().default(null),
  bandwidth: bandwidthSchema.default({ limit: null, timetable: [] }),
  network: z
    .object({
      /** PEM; null for none. */
      caFile: z.string().min(1).nullable().default(null),
    })
    .default({ caFile: null }),
  updates: updatesSchema.default({ check: true, channel: 'latest' }),
  /** Identifies this Tilelift in shared folders. */
  instanceId: z.string().min(1).nullable().default(null),
  /** In order of creation. */
  watchRules: z.array(watchRuleSchema).readonly().default([]),
  /** Comes from the file of `tilelift watch`: rules removed from it are deleted. */
  fileRules: z.array(z.string()).readonly().default([]),
  /** IDs of rules that are paused until they match the policy. */
  heldByPolicy: z.array(z.string()).readonly().default([]),
  /** By rule ID. Imported rules contain none. */
  programs: z.record(z.string(), programsSchema).default({}),
  /** The file keeps them in place, unchanged. */
  unreadableRules: z.array(z.custom<UnreadableRule>()).readonly().default([]),
  alerts: alertSettingsSchema.prefault({}),
  /** Comes from the file of `tilelift watch`; the desktop uses the keychain. */
  alertSecretPlaces: alertSecretPlacesSchema.prefault({}),
  background: storedSwitchesSchema
    .extend({
      /** Null (undecided): while a rule is on. */
      keepRunning: z.boolean().nullable().default(null),
      toldOfTray: z.boolean().default(false),
    })
    .prefault({}),
  /** Keys are detected kinds of data. */
  lastChoices: z.record(z.string(), keptChoice).default({}),
  /** In order of creation. */
  presets: skipUnreadable(presetSchema).readonly().default([]),
  /** Assets made elsewhere. */
  toldAssets: z
    .array(z.object({ accountId: z.string(), assetId: z.number().int() }))
    .readonly()
    .default([]),
  appearance: z.enum(['system', 'light', 'dark']).default('system'),
  language: z.enum(['system', ...catalogues.keys()]).default('system'),
  compactRows: z.boolean().default(false),
  window: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), maximized: z.boolean() })
    .partial()
    .default({}),
});

export type Settings = z.infer<typeof settingsSchema>;
export type KeptChoice = z.infer<typeof keptChoice>;

/** For `main/app.ts` and the edges; modules use `settings-port.ts`. */
export type SettingsStore = SettingsPort<Settings>;

interface SettingsFile {
  readonly settings: Settings;
  /** Keeps unreadable rules, and unreadable values that weren't changed. */
  contentOf(settings: Settings): Readonly<Record<string, unknown>>;
}

/** Unreadable values get their default. Never throws. */
export function readSettingsFile(storedContent: unknown): SettingsFile {
  const content: Readonly<Record<string, unknown>> =
    typeof storedContent === 'object' && storedContent !== null ? { ...storedContent } : {};
  const { rules, unreadable } = readStoredRules(content.watchRules);
  const ours = { ...content, watchRules: rules, unreadableRules: unreadable };
  const settings = readEach(ours);
  const schemas = new Map<string, z.ZodType>(Object.entries(settingsSchema.shape));
  const unreadEntries = Object.entries(ours).filter(
    ([key, value]) => !schemas.get(key)?.safeParse(value).success,
  );
  return {
    settings,
    contentOf: (changed) => {
      const { watchRules, unreadableRules, ...changedSettings } = changed;
      const isSame = (key: string) => isDeepStrictEqual(settingOf(changed, key), settingOf(settings, key));
      return {
        ...changedSettings,
        ...Object.fromEntries(unreadEntries.filter(([key]) => isSame(key))),
        watchRules: storedRules({ rules: watchRules, unreadable: unreadableRules }),
      };
    },
  };
}

const settingOf = (settings: Settings, key: string) => Reflect.get(settings, key);

function readEach(values: Readonly<Record<string, unknown>>): Settings {
  const parsedSettings = settingsSchema.safeParse(values);
  if (parsedSettings.success) return parsedSettings.data;
  const validValues: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const parsed = schema.safeParse(values[key]);
    if (parsed.success) validValues[key] = parsed.data;
  }
  return settingsSchema.parse(validValues);
}
