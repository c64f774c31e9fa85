import type { AccountView, ServiceView } from '../../preload/contract.ts';

export const cesium: ServiceView = {
  name: 'Cesium ion',
  baseUrl: 'https://api.cesium.com',
  authUrl: 'https://ion.cesium.com',
};
export const survey: ServiceView = {
  name: 'Survey North',
  baseUrl: 'https://tiles.survey-north.example',
  authUrl: 'https://survey-north.example',
};

/** Signed in to these services, the first of them current. */
export function signedInTo(
  service: ServiceView,
  ...others: ServiceView[]
): Extract<AccountView, { kind: 'signed-in' }> {
  const accounts = [service, ...others].map((one) => {
    return {
      id: one.baseUrl,
      service: one,
      signedInBy: one === survey ? 'access-token' : 'browser',
      endsSoonAt: null,
    } as const;
  });
  return { kind: 'signed-in', id: service.baseUrl, service, error: null, accounts };
}
