import { expect, it } from 'vitest';
import { readLaunchEnvironment } from '../../../../main/desktop/launch/launch-environment.ts';

it('readLaunchEnvironment() returns the presets without variables', () => {
  const { services, samplePath } = readLaunchEnvironment({});
  expect(services.map((service) => service.name)).toEqual(['Cesium ion']);
  expect(samplePath).toBeNull();
});

it('S16: readLaunchEnvironment() puts the service from the environment last and labels it', () => {
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

it('readLaunchEnvironment() ignores a service with only one address', () => {
  expect(readLaunchEnvironment({ TILELIFT_SERVICE_API: 'http://127.0.0.1:1' }).services).toHaveLength(1);
});
