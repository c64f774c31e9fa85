import type { Situation } from './situation.ts';
import { callSituations } from './situations/calls.ts';
import { serviceSituations } from './situations/service.ts';
import { signInSituations } from './situations/sign-in.ts';
import { storageSituations } from './situations/storage.ts';

export const situationGroups = {
  storage: storageSituations,
  service: serviceSituations,
  'sign-in': [...signInSituations, ...callSituations],
} as const satisfies Record<string, readonly Situation[]>;
