/** The ceiling: Node's plain HTTP client sends the bytes and requests of an upload from one buffer. */
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { partSize, readTask } from './task.ts';

const connections = 8;

const task = readTask();
const secure = task.endpoint.startsWith('https:');
const agent = secure
  ? new HttpsAgent({ keepAlive: true, maxSockets: connections, ca: readFileSync(task.caFile) })
  : new Agent({ keepAlive: true, maxSockets: connections });
const request = secure ? httpsRequest : httpRequest;
const { hostname, port } = new URL(task.endpoint);

const perFile = task.bytes / task.files;
const parts = Math.ceil(perFile / partSize);
const buffer = Buffer.alloc(Math.min(perFile, partSize), 'tilelift');

function send(method: string, path: string, body: Buffer | string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Length': Buffer.byteLength(body) };
    const sentRequest = request({ agent, hostname, port, method, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${method} ${path}: ${answer.statusCode}`));
      });
      answer.on('error', reject);
    });
    sentRequest.on('error', reject);
    sentRequest.end(body);
  });
}

/** Runs one lane per connection; each lane takes the next index. */
async function inLanes(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let nextNumber = 0;
  const lane = async () => {
    while (nextNumber < count) await work(nextNumber++);
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

const root = `/${task.bucket}/${task.id}`;
if (parts === 1) {
  await inLanes(task.files, (index) => send('PUT', `${root}/tile-${index}`, buffer));
} else {
  const path = `${root}/tile`;
  const beginAnswer = await send('POST', `${path}?uploads`, '');
  const uploadId = /<UploadId>(.*)<\/UploadId>/.exec(beginAnswer)?.[1] ?? '';
  await inLanes(parts, (index) => {
    const size = Math.min(partSize, perFile - index * partSize);
    return send('PUT', `${path}?partNumber=${index + 1}&uploadId=${uploadId}`, buffer.subarray(0, size));
  });
  const partElements = Array.from({ length: parts }, (_, index) => `<PartNumber>${index + 1}</PartNumber>`);
  await send('POST', `${path}?uploadId=${uploadId}`, partElements.join(''));
}
agent.destroy();
