import { describe, expect, it } from 'vitest';
import { readLaunchEnvironment } from '../../../../main/desktop/launch/launch-environment.ts';

describe('what a start brings along', () => {
  it('is the presets alone without variables', () => {
    const { services, samplePath } = readLaunchEnvironment({});
    expect(services.map((service) => service.name)).toEqual(['Cesium ion']);
    expect(samplePath).toBeNull();
  });

  it('puts the given service last, with a word on where it comes from', () => {
    const { services } = readLaunchEnvironment({
      TILELIFT_SERVICE_API: 'http://127.0.0.1:1',
      TILELIFT_SERVICE_SIGN_IN: 'http://127.0.0.1:2',
    });
    expect(services.at(-1)).toEqual({
      name: 'Local service',
      baseUrl: 'http://127.0.0.1:1',
      authUrl: 'http://127.0.0.1:2',
      from: 'environment',
    });
    expect(services).toHaveLength(2);
  });

  it('leaves out a service of which only one address is given', () => {
    expect(readLaunchEnvironment({ TILELIFT_SERVICE_API: 'http://127.0.0.1:1' }).services).toHaveLength(1);
  });
});
