import { callSituations } from './situations/calls.ts';
import { serviceSituations } from './situations/service.ts';
import { signInSituations } from './situations/sign-in.ts';
import { storageSituations } from './situations/storage.ts';
import type { Stage } from './stage.ts';

/** Every request of the contract and of storage. */
export const requestNames = [
  'register',
  'token code',
  'token refresh',
  'list assets',
  'create asset',
  'complete upload',
  'read asset',
  'PUT',
  'CreateMultipartUpload',
  'UploadPart',
  'ListParts',
  'CompleteMultipartUpload',
  'HEAD',
  'AbortMultipartUpload',
] as const;
export type RequestName = (typeof requestNames)[number];

/** A request, and the state in which it is sent. */
export interface Situation {
  readonly request: RequestName;
  readonly state: string;
  /** Its request can't be told apart by its path, so no other case may be played beside it. */
  readonly alone: boolean;
  /** Has the request meet the stage's foreign answer, and holds what follows against what must. Throws `Failed` where nothing can go on. */
  readonly play: (stage: Stage) => Promise<void>;
}

export const situationGroups = {
  storage: storageSituations,
  service: serviceSituations,
  'sign-in': [...signInSituations, ...callSituations],
} as const satisfies Record<string, readonly Situation[]>;
