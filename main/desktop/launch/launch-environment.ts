import { z } from 'zod';
import type { ServiceView } from '../../../preload/contract.ts';
import { servicePresets } from '../../service/address-pair.ts';

const environmentSchema = z.object({
  /** A further service to offer: its API address. */
  TILELIFT_SERVICE_API: z.string().optional(),
  /** The same service's sign-in address. */
  TILELIFT_SERVICE_SIGN_IN: z.string().optional(),
  TILELIFT_SERVICE_NAME: z.string().default('Local service'),
  /** Sample data to offer on the empty Uploads screen. */
  TILELIFT_SAMPLE: z.string().optional(),
});

interface LaunchEnvironment {
  readonly services: readonly ServiceView[];
  readonly samplePath: string | null;
}

/**
 * What a start may bring along by environment variables: a service to offer and sample data. Whoever may set
 * them is not always the person: such a service comes last, is never the one that is chosen already, and says
 * where it comes from.
 */
export function readLaunchEnvironment(environment: NodeJS.ProcessEnv): LaunchEnvironment {
  const given = environmentSchema.parse(environment);
  const own =
    given.TILELIFT_SERVICE_API && given.TILELIFT_SERVICE_SIGN_IN
      ? [
          {
            name: given.TILELIFT_SERVICE_NAME,
            baseUrl: given.TILELIFT_SERVICE_API,
            authUrl: given.TILELIFT_SERVICE_SIGN_IN,
            from: 'environment' as const,
          },
        ]
      : [];
  return { services: [...servicePresets, ...own], samplePath: given.TILELIFT_SAMPLE ?? null };
}
