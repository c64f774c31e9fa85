import { isAbsolute } from 'node:path';
import { parseJson } from '../../../main/service/answer.ts';
import { createLineReader } from '../../../main/socket/lines.ts';
import { answerSchemas, helloSchema, replySchema, requestSchema } from '../../../main/socket/protocol.ts';
import { Escape, shapeOf, type Target } from '../target.ts';

const job = {
  accountId: null,
  paths: ['/srv/a', '/srv/b'],
  body: { name: 'n', type: '3DTILES', options: { sourceType: 'CITYGML' } },
  acceptForecast: false,
};
const messages: readonly unknown[] = [
  { tilelift: 1, key: '0'.repeat(64) },
  { id: 0, ask: 'status' },
  { id: 1, ask: 'act', jobId: 'j', action: 'retry' },
  { id: 2, ask: 'submit', job },
  { id: 3, ask: 'follow', jobId: 'j' },
  { tilelift: 1, owner: 'desktop', version: '0.1.0', pid: 4711 },
  { id: 1, answer: { done: 'pause', job: null } },
  { id: null, error: { code: 'socket-version', subject: '2', retryable: false } },
];

/** Node delivers received data in chunks of this size at most, each in its own turn. */
const maxChunkBytes = 64 * 1024;

/** Messages between commands and the running Tilelift. */
const lines: Target = {
  name: 'socket',
  seeds: messages.map((message) => `${JSON.stringify(message)}\n`),
  words: ['"ask":', '"id":', '"paths":', '"../"', '"remove"', '\n', 'null', '-1', '1e999'],
  run: (input) => {
    const read = createLineReader(10_000).add(input.subarray(0, maxChunkBytes));
    const outcomes = (read ?? ['']).map((line) => {
      const value = parseJson(line);
      const request = requestSchema.safeParse(value).data;
      if (request?.ask === 'submit' && !request.job.paths.every(isAbsolute)) throw new Escape(line);
      const reply = replySchema.safeParse(value).data;
      const answers = Object.values(answerSchemas).filter((schema) => schema.safeParse(value).success);
      return [helloSchema.safeParse(value).success, shapeOf(request), shapeOf(reply), answers.length].join();
    });
    return outcomes.slice(0, 3).join(' ');
  },
};

export const socketTargets: readonly Target[] = [lines];
