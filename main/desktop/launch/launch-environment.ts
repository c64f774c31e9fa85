import { z } from 'zod';
import type { ServiceView } from '../../../preload/contract.ts';
import { servicePresets } from '../../service/address-pair.ts';

const environmentSchema = z.object({
  TILELIFT_SERVICE_API: z.string().optional(),
  TILELIFT_SERVICE_SIGN_IN: z.string().optional(),
  TILELIFT_SERVICE_NAME: z.string().default('Local service'),
  /** For the empty Uploads screen. */
  TILELIFT_SAMPLE: z.string().optional(),
});

interface LaunchEnvironment {
  readonly services: readonly ServiceView[];
  readonly samplePath: string | null;
}

/** Others may control the environment, so its service comes last, labelled and never preselected. */
export function readLaunchEnvironment(environment: NodeJS.ProcessEnv): LaunchEnvironment {
  const variables = environmentSchema.parse(environment);
  const additional =
    variables.TILELIFT_SERVICE_API && variables.TILELIFT_SERVICE_SIGN_IN
      ? [
          {
            name: variables.TILELIFT_SERVICE_NAME,
            baseUrl: variables.TILELIFT_SERVICE_API,
            authUrl: variables.TILELIFT_SERVICE_SIGN_IN,
            from: 'environment' as const,
          },
        ]
      : [];
  return { services: [...servicePresets, ...additional], samplePath: variables.TILELIFT_SAMPLE ?? null };
}
