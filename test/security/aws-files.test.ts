import fs from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, vi } from 'vitest';

it('S38: storage requests open no file of AWS tools', async () => {
  vi.stubEnv('HOME', '/home/anna');
  vi.stubEnv('AWS_CONFIG_FILE', '/home/anna/.aws/config');
  const openedFiles = [
    ...(['open', 'readFile'] as const).map((name) => vi.spyOn(files, name)),
    ...(['open', 'openSync', 'readFile', 'readFileSync'] as const).map((name) => vi.spyOn(fs, name)),
  ];
  syncBuiltinESMExports();
  // Loaded here, so that its file access is recorded.
  const { createControlRequests } = await import('../../main/storage/control-requests.ts');
  const { StorageError } = await import('../../main/storage/storage-error.ts');
  const { StorageFacts } = await import('../../main/storage/storage-facts.ts');
  const sentUrls: string[] = [];
  const requests = createControlRequests({
    prefix: 'sources/7/',
    send: async ({ method, path, query }) => {
      sentUrls.push(`${method} ${path}?${query}`);
      return { status: 200, headers: {}, body: '<InitiateMultipartUploadResult/>' };
    },
    facts: () => new StorageFacts(new SharedArrayBuffer(StorageFacts.bytes)),
    currentTime: () => 0,
    completeMs: 1_000,
  });
  const begunUpload = { uploadId: 'u', checksum: null };
  const outcomes = await Promise.allSettled([
    requests.createMultipartUpload('a'),
    requests.listParts('a', 'u'),
    requests.completeMultipartUpload('a', begunUpload, [{ number: 1, size: 1, etag: 'e' }]),
    requests.abortMultipartUpload('a', 'u'),
    requests.headObject('a'),
  ]);
  // The responses don't matter; each request was sent.
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StorageError);
  expect(new Set(sentUrls.map((line) => line.split(' ')[0]))).toEqual(
    new Set(['POST', 'GET', 'DELETE', 'HEAD']),
  );
  const paths = openedFiles.flatMap(({ mock }) => mock.calls.map(([path]) => String(path)));
  expect(paths.filter((path) => path.includes('.aws'))).toEqual([]);
});
