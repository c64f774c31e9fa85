import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { refuseAsJson } from '../api/api-room.ts';
import { Exchange } from '../http/exchange.ts';
import { type Listener, listen } from '../http/listener.ts';
import { Refusal } from '../http/refusal.ts';
import type { Control } from '../model.ts';
import { controlCalls } from './control-calls.ts';

/**
 * The control interface over HTTP: POST /<call> with the argument as JSON returns `{"value": …}`, or bytes
 * for `readObject`. Web pages can't use it: it only accepts loopback hosts and JSON, which needs a CORS
 * preflight.
 */
export function openControlRoom(control: Control, port: number): Promise<Listener> {
  return listen(port, (request, response, waitsForContinue) => {
    const exchange = new Exchange(request, response, waitsForContinue);
    answer(exchange, control).catch((error: unknown) => {
      if (response.headersSent || request.socket.destroyed) request.socket.destroy();
      else refuseAsJson(exchange, error instanceof Refusal ? error : badCall(error));
    });
  });
}

async function answer(exchange: Exchange, control: Control): Promise<void> {
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(exchange.header('host') ?? '')) {
    throw new Refusal(403, 'AccessDenied', 'The control interface answers on loopback only.');
  }
  const name = exchange.path.slice(1);
  if (name !== 'readObject' && !isCall(name)) {
    const calls = [...Object.keys(controlCalls), 'readObject'].join(', ');
    throw new Refusal(404, 'ResourceNotFound', `There is no call ${name}. Calls: ${calls}.`);
  }
  if (exchange.method !== 'POST') {
    throw new Refusal(405, 'MethodNotAllowed', 'Calls are made with POST.', { Allow: 'POST' });
  }
  const isEmpty = exchange.header('content-length') === '0' && exchange.contentType() === 'application/json';
  const argument = isEmpty ? undefined : await exchange.readJson();
  if (name === 'readObject') {
    const bytes = control.readObject(z.string().parse(argument));
    exchange.response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    await pipeline(bytes, exchange.response);
    return;
  }
  exchange.json(200, { value: (await controlCalls[name](control, argument)) ?? null });
}

function isCall(name: string): name is keyof typeof controlCalls {
  return Object.hasOwn(controlCalls, name);
}

function badCall(error: unknown): Refusal {
  const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
  return new Refusal(400, 'InvalidRequest', message);
}
