import { z } from 'zod';
import type { ProxyQuestion } from '../../shared/proxy.ts';
import { createListeners } from '../listeners.ts';
import type { Log } from '../log.ts';
import type { Clock, NetworkWay, ProxyAsk, ProxyLogin } from '../outside.ts';
import { parseJson } from '../service/answer.ts';
import type { Vault } from './vault/vault.ts';

const loginSchema = z.object({ username: z.string(), password: z.string() });
/** After "no" nobody is asked about that proxy again so soon: requests come every few seconds. */
const quietMs = 5 * 60_000;

interface Question extends ProxyQuestion {
  readonly answer: Promise<ProxyLogin | null>;
  readonly settle: (login: ProxyLogin | null) => void;
}

/** Names and passwords for proxies, kept in the vault under `proxy:<host:port>`. */
export interface ProxyLogins extends Pick<NetworkWay, 'proxyLogin' | 'askProxyLogin'> {
  /** What the person is asked now; null for nothing. */
  question(): ProxyQuestion | null;
  /** Answers the question; null when the person won't. */
  answer(login: ProxyLogin | null): void;
  /** Called whenever the question changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

export function createProxyLogins(vault: Vault, clock: Clock, log: Log): ProxyLogins {
  const questions = new Map<string, Question>();
  const declinedAt = new Map<string, number>();
  const listeners = createListeners<[]>();
  const key = (host: string) => `proxy:${host}`;
  const tell = () => {
    listeners.tell();
  };
  const first = () => questions.values().next().value;

  function proxyLogin(host: string): ProxyLogin | null {
    return loginSchema.safeParse(parseJson(vault.get(key(host)) ?? '')).data ?? null;
  }

  function keep(host: string, login: ProxyLogin): void {
    try {
      vault.set(key(host), JSON.stringify(login));
    } catch (cause) {
      log.error({ cause }, 'The login for a proxy could not be written; it is kept in memory.');
    }
  }

  function ask({ host, realm }: ProxyAsk, again: boolean): Question {
    const { promise: answer, resolve } = Promise.withResolvers<ProxyLogin | null>();
    const settle = (login: ProxyLogin | null) => {
      questions.delete(host);
      if (login) keep(host, login);
      else declinedAt.set(host, clock.now());
      resolve(login);
      tell();
    };
    const question = { host, realm, again, answer, settle };
    questions.set(host, question);
    tell();
    return question;
  }

  return {
    proxyLogin,
    askProxyLogin: async (proxy, refused) => {
      const open = questions.get(proxy.host);
      if (open) return open.answer;
      const kept = proxyLogin(proxy.host);
      if (kept && !isSame(kept, refused)) return kept;
      const declined = declinedAt.get(proxy.host);
      if (declined !== undefined && clock.now() - declined < quietMs) return null;
      return ask(proxy, refused !== null).answer;
    },
    question: () => {
      const question = first();
      return question ? { host: question.host, realm: question.realm, again: question.again } : null;
    },
    answer: (login) => first()?.settle(login),
    onChange: listeners.add,
  };
}

function isSame(one: ProxyLogin, other: ProxyLogin | null): boolean {
  return other !== null && one.username === other.username && one.password === other.password;
}
