import { z } from 'zod';
import { assetTypes } from '../shared/assets.ts';
import { languages } from '../strings/languages.ts';
import { alertSettingsSchema } from './alerts/alert-settings.ts';
import type { SettingsPort } from './settings-port.ts';
import { programsSchema } from './watch/after/program.ts';
import { watchRuleSchema } from './watch/rule.ts';
import { readStoredRules, storedRules, type UnreadableRule } from './watch/rules-file/stored-rules.ts';

/** A service that the person may sign in to. */
const serviceEntry = z.object({
  name: z.string().min(1),
  baseUrl: z.string(),
  authUrl: z.string(),
});

/** How fast uploads may go, bytes a second; null for no limit. */
export const bandwidthSchema = z.object({
  limit: z.number().positive().nullable(),
  /** Times of the week with a limit of their own; the first that fits counts. */
  timetable: z
    .array(
      z.object({
        /** Days on which it begins, 0 for Sunday. */
        days: z.array(z.number().int().min(0).max(6)).max(7).readonly(),
        /** Local time. `until` not after `from` runs over midnight. */
        from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
        until: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
        limit: z.number().positive().nullable(),
      }),
    )
    .max(100)
    .readonly(),
});

/** Whether Tilelift looks for updates by itself, and whether it takes preliminary ones too. */
export const updatesSchema = z.object({ check: z.boolean(), channel: z.enum(['latest', 'beta']) });

/** What the person chose for an asset of one kind of data, to be offered next time. */
const lastChoice = z.object({
  /** Whose terrains the base terrain is one of. */
  accountId: z.string(),
  assetType: z.enum(assetTypes),
  sourceType: z.string().min(1),
  clampToTerrain: z.boolean(),
  baseTerrainId: z.number().int().positive().nullable(),
  /** Further options, a JSON object as text. */
  options: z.string(),
});

/** Everything that the settings file holds. Unknown keys are dropped, missing ones get their default. */
export const settingsSchema = z.object({
  /** Services beyond the presets, as the person typed them. */
  services: z.array(serviceEntry).default([]),
  /** API and sign-in address, a space between them, of services whose two sites the person has said to belong together. */
  confirmedPairs: z.array(z.string()).readonly().default([]),
  /** Services (`baseUrl`) whose storage may be spoken to without encryption, as the person has allowed. */
  plainStorage: z.array(z.string()).readonly().default([]),
  /** Client ids of the person's own, by `baseUrl`: a dashboard number or the address of a metadata document (contract 2.6). */
  clientIds: z.record(z.string(), z.string().min(1)).default({}),
  /** `baseUrl` of the current account's service. */
  currentService: z.string().nullable().default(null),
  bandwidth: bandwidthSchema.default({ limit: null, timetable: [] }),
  network: z
    .object({
      /** A file of further certificate authorities to trust, PEM; null for none. */
      caFile: z.string().min(1).nullable().default(null),
    })
    .default({ caFile: null }),
  updates: updatesSchema.default({ check: true, channel: 'latest' }),
  /** The newest release that the feed has offered, by channel: by it is noticed that it goes back. */
  releasesSeen: z.record(z.string(), z.string()).default({}),
  /** By what this Tilelift is known in folders that several watch. */
  instanceId: z.string().min(1).nullable().default(null),
  /** Watched folders, in the order in which they were made. */
  watchRules: z.array(watchRuleSchema).readonly().default([]),
  /** Rules of the policy, by id, that rest until they are as it says: they go on by themselves. */
  heldByPolicy: z.array(z.string()).readonly().default([]),
  /** Started on this computer when sources of a rule have ended, by the rule's id. No rule brings one along. */
  programs: z.record(z.string(), programsSchema).default({}),
  /** Those that this version can't read. In the file they stand among the others, as they are. */
  unreadableRules: z.array(z.custom<UnreadableRule>()).readonly().default([]),
  /** On which ways alerts go out. */
  alerts: alertSettingsSchema.prefault({}),
  /** What Tilelift does while nobody looks. */
  background: z
    .object({
      /** Closing the window leaves Tilelift at work; null until the person has said: then it does while a rule is on. */
      keepRunning: z.boolean().nullable().default(null),
      /** The computer does not fall asleep during uploads. */
      keepAwake: z.boolean().default(true),
      notify: z.boolean().default(true),
      /** It asks before a person quits it while uploads are under way. */
      askBeforeQuit: z.boolean().default(true),
      /** The person has been told once that Tilelift goes on without its window. */
      toldOfTray: z.boolean().default(false),
    })
    .prefault({}),
  /** By the kind of data that was recognised. */
  lastChoices: z.record(z.string(), lastChoice).default({}),
  appearance: z.enum(['system', 'light', 'dark']).default('system'),
  language: z.enum(['system', ...languages]).default('system'),
  window: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), maximized: z.boolean() })
    .partial()
    .default({}),
});

export type Settings = z.infer<typeof settingsSchema>;
export type LastChoice = z.infer<typeof lastChoice>;

/** All of them: for those who put Tilelift together, and for its edge. The rooms see a few each (`settings-port.ts`). */
export type SettingsStore = SettingsPort<Settings>;

/** Settings as a file holds them, whatever is in it, and the way back. */
export interface SettingsFile {
  readonly settings: Settings;
  /** What the file is to hold once the settings are these. Rules that can't be read, and what only later versions know of the others, stay in it. */
  contentOf(settings: Settings): Readonly<Record<string, unknown>>;
}

/** What can't be read gets its default; each rule is read for itself. Never throws. */
export function readSettingsFile(stored: unknown): SettingsFile {
  const given: Readonly<Record<string, unknown>> =
    typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const { rules, unreadable, laterFields } = readStoredRules(given.watchRules);
  const ours = { ...given, watchRules: rules, unreadableRules: unreadable };
  return {
    settings: readEach(ours),
    contentOf: ({ watchRules, unreadableRules, ...others }) => ({
      ...others,
      watchRules: storedRules({ rules: watchRules, unreadable: unreadableRules, laterFields }),
    }),
  };
}

function readEach(given: Readonly<Record<string, unknown>>): Settings {
  const whole = settingsSchema.safeParse(given);
  if (whole.success) return whole.data;
  const good: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(settingsSchema.shape)) {
    const one = schema.safeParse(given[key]);
    if (one.success) good[key] = one.data;
  }
  return settingsSchema.parse(good);
}
