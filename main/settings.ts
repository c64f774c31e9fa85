import { z } from 'zod';

/** A service that the person may sign in to. */
const serviceEntry = z.object({
  name: z.string().min(1),
  baseUrl: z.string(),
  authUrl: z.string(),
});

/** Everything that the settings file holds. Unknown keys are dropped, missing ones get their default. */
export const settingsSchema = z.object({
  /** Services beyond the presets, as the person typed them. */
  services: z.array(serviceEntry).default([]),
  /** Client ids of the person's own, by `baseUrl`: a dashboard number or the address of a metadata document (contract 2.6). */
  clientIds: z.record(z.string(), z.string().min(1)).default({}),
  /** `baseUrl` of the current account's service. */
  currentService: z.string().nullable().default(null),
  appearance: z.enum(['system', 'light', 'dark']).default('system'),
  window: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number(), maximized: z.boolean() })
    .partial()
    .default({}),
});

export type Settings = z.infer<typeof settingsSchema>;
export type ServiceEntry = z.infer<typeof serviceEntry>;

export interface SettingsStore {
  get(): Settings;
  update(change: Partial<Settings>): void;
}
