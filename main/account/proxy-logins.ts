import { z } from 'zod';
import type { ProxyQuestion } from '../../shared/proxy.ts';
import { createListeners } from '../listeners.ts';
import type { Log } from '../log.ts';
import type { Clock, NetworkWay, ProxyAsk, ProxyLogin } from '../ports.ts';
import { parseJson } from '../service/answer.ts';
import type { Vault } from './vault/vault.ts';

const loginSchema = z.object({ username: z.string(), password: z.string() });
/** Requests come every few seconds: don't ask again this soon after a refusal. */
const quietMs = 5 * 60_000;

interface Question extends ProxyQuestion {
  readonly answer: Promise<ProxyLogin | null>;
  readonly settle: (login: ProxyLogin | null) => void;
}

/** Stored in the vault under `proxy:<host:port>`. */
export interface ProxyLogins extends Pick<NetworkWay, 'proxyLogin' | 'askProxyLogin'> {
  question(): ProxyQuestion | null;
  /** Null: the user declined. */
  answer(login: ProxyLogin | null): void;
  /** Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

export function createProxyLogins(vault: Vault, clock: Clock, log: Log): ProxyLogins {
  const questions = new Map<string, Question>();
  const declinedAt = new Map<string, number>();
  const listeners = createListeners<[]>();
  const key = (host: string) => `proxy:${host}`;
  const notify = () => {
    listeners.emit();
  };
  const firstQuestion = () => questions.values().next().value;

  function proxyLogin(host: string): ProxyLogin | null {
    return loginSchema.safeParse(parseJson(vault.get(key(host)) ?? '')).data ?? null;
  }

  function rememberLogin(host: string, login: ProxyLogin): void {
    try {
      vault.set(key(host), JSON.stringify(login));
    } catch (cause) {
      log.error({ cause }, 'The login for a proxy could not be written; it is kept in memory.');
    }
  }

  function ask({ host, realm }: ProxyAsk, isRepeated: boolean): Question {
    const { promise: answer, resolve } = Promise.withResolvers<ProxyLogin | null>();
    const resolveLogin = (login: ProxyLogin | null) => {
      questions.delete(host);
      if (login) rememberLogin(host, login);
      else declinedAt.set(host, clock.now());
      resolve(login);
      notify();
    };
    const question = { host, realm, again: isRepeated, answer, settle: resolveLogin };
    questions.set(host, question);
    notify();
    return question;
  }

  return {
    proxyLogin,
    askProxyLogin: async (proxy, refusedLogin) => {
      const openQuestion = questions.get(proxy.host);
      if (openQuestion) return openQuestion.answer;
      const storedLogin = proxyLogin(proxy.host);
      if (storedLogin && !isSame(storedLogin, refusedLogin)) return storedLogin;
      const declined = declinedAt.get(proxy.host);
      if (declined !== undefined && clock.now() - declined < quietMs) return null;
      return ask(proxy, refusedLogin !== null).answer;
    },
    question: () => {
      const question = firstQuestion();
      return question ? { host: question.host, realm: question.realm, again: question.again } : null;
    },
    answer: (login) => firstQuestion()?.settle(login),
    onChange: listeners.add,
  };
}

function isSame(login: ProxyLogin, otherLogin: ProxyLogin | null): boolean {
  return (
    otherLogin !== null && login.username === otherLogin.username && login.password === otherLogin.password
  );
}
