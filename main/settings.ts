import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { knownAccountSchema } from '../shared/schemas/accounts.ts';
import { alertSecretPlacesSchema, alertSettingsSchema } from '../shared/schemas/alerts.ts';
import { presetSchema } from '../shared/schemas/presets.ts';
import { bandwidthSchema, lastChoiceSchema, updatesSchema } from '../shared/schemas/settings.ts';
import { catalogues } from './say.ts';
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

/** `accountId`: whose terrains the base terrain is one of. */
const keptChoice = lastChoiceSchema.extend({ accountId: z.string() });

/** A list whose items are read each for itself: one that this version can't read takes no other along. */
function readable<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (given) => (Array.isArray(given) ? given.filter((one) => item.safeParse(one).success) : given),
    z.array(item),
  );
}

/** Everything that the settings file holds. Unknown keys are dropped, missing ones get their default. */
export const settingsSchema = z.object({
  /** Services beyond the presets, as the person typed them. */
  services: z.array(serviceEntry).default([]),
  /**
   * API and sign-in address, separated by a space, of services whose sites the person said belong together.
   */
  confirmedPairs: z.array(z.string()).readonly().default([]),
  /** Services (`baseUrl`) whose storage may be spoken to without encryption, as the person has allowed. */
  plainStorage: z.array(z.string()).readonly().default([]),
  /** The person's own client ids, by `baseUrl`: a dashboard number or a metadata document (contract 2.6). */
  clientIds: z.record(z.string(), z.string().min(1)).default({}),
  /** Every account that someone has signed in to on this computer, in that order, until it is removed. */
  accounts: readable(knownAccountSchema).readonly().default([]),
  /** Id of the account that is shown. */
  currentAccount: z.string().nullable().default(null),
  /** `baseUrl` of the current account's service: all that versions before `accounts` kept, and still read. */
  currentService: z.string().nullable().default(null),
  /** The last sign-in was ended by the person; likewise. */
  signedOut: z.boolean().default(true),
  bandwidth: bandwidthSchema.default({ limit: null, timetable: [] }),
  network: z
    .object({
      /** A file of further certificate authorities to trust, PEM; null for none. */
      caFile: z.string().min(1).nullable().default(null),
    })
    .default({ caFile: null }),
  updates: updatesSchema.default({ check: true, channel: 'latest' }),
  /** By what this Tilelift is known in folders that several watch. */
  instanceId: z.string().min(1).nullable().default(null),
  /** Watched folders, in the order in which they were made. */
  watchRules: z.array(watchRuleSchema).readonly().default([]),
  /** Rules that the file of `tilelift watch` has made, by id: what is in the file no more goes from here. */
  fileRules: z.array(z.string()).readonly().default([]),
  /** Rules of the policy, by id, that rest until they are as it says: they continue by themselves. */
  heldByPolicy: z.array(z.string()).readonly().default([]),
  /** Started on this computer when sources of a rule have ended, by rule id. No imported rule sets one. */
  programs: z.record(z.string(), programsSchema).default({}),
  /** Those that this version can't read. In the file they stand among the others, as they are. */
  unreadableRules: z.array(z.custom<UnreadableRule>()).readonly().default([]),
  /** On which ways alerts go out. */
  alerts: alertSettingsSchema.prefault({}),
  /** Where `tilelift watch` finds the secrets of these: its file says so. The desktop has a keychain. */
  alertSecretPlaces: alertSecretPlacesSchema.prefault({}),
  /** What Tilelift does while nobody looks. */
  background: z
    .object({
      /**
       * Closing the window leaves Tilelift running; null until the person has said: then while a rule is on.
       */
      keepRunning: z.boolean().nullable().default(null),
      /** The computer does not fall asleep during uploads. */
      keepAwake: z.boolean().default(true),
      notify: z.boolean().default(true),
      /** It asks before a person quits it while uploads are under way. */
      askBeforeQuit: z.boolean().default(true),
      /** The person has been told once that Tilelift keeps running without its window. */
      toldOfTray: z.boolean().default(false),
    })
    .prefault({}),
  /** By the kind of data that was recognised. */
  lastChoices: z.record(z.string(), keptChoice).default({}),
  /** Named sets of tiling options, in the order in which they were made. */
  presets: readable(presetSchema).readonly().default([]),
  /** Templates of code, as the person has changed them or written their own. */
  /** Assets made elsewhere of whose end the person wants to be told. */
  toldAssets: z
    .array(z.object({ accountId: z.string(), assetId: z.number().int() }))
    .readonly()
    .default([]),
  appearance: z.enum(['system', 'light', 'dark']).default('system'),
  language: z.enum(['system', ...catalogues.keys()]).default('system'),
  /** Uploads are listed in one line each. */
  compactRows: z.boolean().default(false),
  window: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), maximized: z.boolean() })
    .partial()
    .default({}),
});

export type Settings = z.infer<typeof settingsSchema>;
export type KeptChoice = z.infer<typeof keptChoice>;

/** All of them: for the composition root and the edge. The rooms see a few each (`settings-port.ts`). */
export type SettingsStore = SettingsPort<Settings>;

/** Settings as a file holds them, whatever is in it, and the way back. */
interface SettingsFile {
  readonly settings: Settings;
  /**
   * What the file is to hold once the settings are these. Rules that can't be read, fields of later versions,
   * and values that can't be read and have not changed since stay in it.
   */
  contentOf(settings: Settings): Readonly<Record<string, unknown>>;
}

/** What can't be read gets its default; each rule is read for itself. Never throws. */
export function readSettingsFile(stored: unknown): SettingsFile {
  const given: Readonly<Record<string, unknown>> =
    typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const { rules, unreadable, laterFields } = readStoredRules(given.watchRules);
  const ours = { ...given, watchRules: rules, unreadableRules: unreadable };
  const settings = readEach(ours);
  const schemas = new Map<string, z.ZodType>(Object.entries(settingsSchema.shape));
  const unread = Object.entries(ours).filter(([key, value]) => !schemas.get(key)?.safeParse(value).success);
  return {
    settings,
    contentOf: (changed) => {
      const { watchRules, unreadableRules, ...others } = changed;
      const isSame = (key: string) => isDeepStrictEqual(settingOf(changed, key), settingOf(settings, key));
      return {
        ...others,
        ...Object.fromEntries(unread.filter(([key]) => isSame(key))),
        watchRules: storedRules({ rules: watchRules, unreadable: unreadableRules, laterFields }),
      };
    },
  };
}

const settingOf = (settings: Settings, key: string) => Reflect.get(settings, key);

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
