import { z } from 'zod';
import type { ServiceView } from '../../../preload/contract.ts';
import { servicePresets } from '../../service/address-pair.ts';

const environmentSchema = z.object({
  /** The API address of an additional service. */
  TILELIFT_SERVICE_API: z.string().optional(),
  /** The sign-in address of the same service. */
  TILELIFT_SERVICE_SIGN_IN: z.string().optional(),
  TILELIFT_SERVICE_NAME: z.string().default('Local service'),
  /** Sample data for the empty Uploads screen. */
  TILELIFT_SAMPLE: z.string().optional(),
});

interface LaunchEnvironment {
  readonly services: readonly ServiceView[];
  readonly samplePath: string | null;
}

/**
 * Reads an additional service and sample data from the environment. Others may control it, so such a service
 * is listed last, never preselected, and labelled with its origin.
 */
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
