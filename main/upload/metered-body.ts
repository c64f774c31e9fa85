import { Readable } from 'node:stream';
import type { MiddlewareStack } from '@smithy/types';
import { z } from 'zod';

/** Small enough to show movement on a slow line. */
const sliceSize = 64 * 1024;

const requestShape = z.object({ body: z.instanceof(Uint8Array) });

/**
 * Counts the bytes of one request's body as the connection takes them. The request is signed with the whole buffer (its hash
 * stands in the signature, its length in the headers) and only then, right before the connection, becomes a stream.
 */
export function meterBody<Input extends object, Output extends object>(
  stack: MiddlewareStack<Input, Output>,
  onSent: ((bytes: number) => void) | undefined,
): void {
  if (!onSent) return;
  stack.add(
    (next) => (args) => {
      const request = requestShape.safeParse(args.request).data;
      if (request && request.body.byteLength > 0) {
        Object.assign(args.request as object, { body: meteredStream(request.body, onSent) });
      }
      return next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'meterBody' },
  );
}

/** The bytes in slices, without copying them. */
export function meteredStream(bytes: Uint8Array, onSent: (bytes: number) => void): Readable {
  let at = 0;
  return new Readable({
    read() {
      if (at >= bytes.byteLength) {
        this.push(null);
        return;
      }
      const slice = bytes.subarray(at, at + sliceSize);
      at += slice.byteLength;
      onSent(slice.byteLength);
      this.push(slice);
    },
  });
}
