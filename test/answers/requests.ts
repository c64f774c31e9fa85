import type { FaultMatch } from '../service/model.ts';

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

/** Target of one job's requests. */
export interface Place {
  readonly assetId: number;
}

const objects = ({ assetId }: Place) => `/sources/${assetId}/`;
const asset = ({ assetId }: Place) => `^/v1/assets/${assetId}`;

export const anybodys = {
  register: { room: 'api', method: 'POST', path: '^/oauth/register' },
  'token code': { room: 'api', method: 'POST', path: '^/oauth/token' },
  'token refresh': { room: 'api', method: 'POST', path: '^/oauth/token' },
  'list assets': { room: 'api', method: 'GET', path: '^/v1/assets$' },
  'create asset': { room: 'api', method: 'POST', path: '^/v1/assets$' },
} as const satisfies Partial<Record<RequestName, FaultMatch>>;

export const ofAnyAsset = {
  room: 'api',
  method: 'GET',
  path: '^/v1/assets/\\d+$',
} as const satisfies FaultMatch;

/** Requests about one job's asset. */
export const ofOneJob = {
  'complete upload': (place) => ({ room: 'api', path: `${asset(place)}/uploadComplete$` }),
  'read asset': (place) => ({ room: 'api', method: 'GET', path: `${asset(place)}$` }),
  PUT: (place) => ({ room: 'storage', method: 'PUT', path: objects(place) }),
  CreateMultipartUpload: (place) => ({
    room: 'storage',
    method: 'POST',
    path: `${objects(place)}.*[?&]uploads`,
  }),
  // The second and last part, which is short.
  UploadPart: (place) => ({ room: 'storage', method: 'PUT', path: `${objects(place)}.*partNumber=2` }),
  ListParts: (place) => ({ room: 'storage', method: 'GET', path: `${objects(place)}.*uploadId=` }),
  CompleteMultipartUpload: (place) => ({
    room: 'storage',
    method: 'POST',
    path: `${objects(place)}.*uploadId=`,
  }),
  HEAD: (place) => ({ room: 'storage', method: 'HEAD', path: objects(place) }),
  AbortMultipartUpload: (place) => ({ room: 'storage', method: 'DELETE', path: objects(place) }),
} as const satisfies Partial<Record<RequestName, (place: Place) => FaultMatch>>;

export type RequestOfOneJob = keyof typeof ofOneJob;
