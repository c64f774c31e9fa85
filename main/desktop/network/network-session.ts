import { type Certificate, type ProxyConfig, type Session, session } from 'electron';
import { toTileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type PolicyProxy, proxyServer } from '../../policy/policy.ts';
import { readAuthorityFile } from '../../storage/authorities.ts';

interface NetworkSession {
  /** The one that counts now; in memory only. */
  readonly session: () => Session;
  /** Begins another one: Chromium remembers whom it trusted, and whom not, as long as a session lives. */
  readonly renew: () => Promise<void>;
}

/**
 * Chromium's network, apart from that of the pages. `name`: tells several apart. `proxy`: null for what the
 * system is set to, and the program was started with.
 */
export async function openNetwork(
  name: string,
  caFile: () => string | null,
  proxy: ProxyConfig | null,
  log: Log,
): Promise<NetworkSession> {
  let number = 0;
  const open = async () => {
    number += 1;
    const made = session.fromPartition(`${name}-${number}`, { cache: false });
    if (proxy) await made.setProxy(proxy);
    await trustAuthorityFile(made, caFile(), log);
    return made;
  };
  let current = await open();
  return {
    session: () => current,
    renew: async () => {
      current = await open();
    },
  };
}

/** A policy's proxy as Chromium takes it; null where the policy names none. */
export function proxyConfig(proxy: PolicyProxy | undefined): ProxyConfig | null {
  switch (proxy?.mode) {
    case undefined:
      return null;
    case 'system':
    case 'direct':
      return { mode: proxy.mode };
    case 'fixed':
      return {
        mode: 'fixed_servers',
        proxyRules: proxyServer(proxy.server) ?? proxy.server,
        proxyBypassRules: proxy.except.join(','),
      };
    case 'pac':
      return { mode: 'pac_script', pacScript: proxy.address };
  }
}

/** Chromium's answers to its question, by `setCertificateVerifyProc`. */
const accept = 0;
const asChromiumSays = -3;

/**
 * Lets Chromium trust what the authorities of that file have signed, where its own verdict is that it does
 * not know the authority; every other verdict stands. Chromium remembers its verdicts: another file wants
 * another session. A file that can't be used is said in the log and adds nothing.
 */
async function trustAuthorityFile(session: Session, caFile: string | null, log: Log): Promise<void> {
  const authorities = readOrNone(caFile, log);
  if (authorities.length === 0) return;
  // What reads certificates is large, and few have such a file: no launch waits for it.
  const { isTrustedChain } = await import('./chain-of-trust.ts');
  session.setCertificateVerifyProc(({ hostname, certificate, verificationResult }, answer) => {
    const unknown = verificationResult === 'net::ERR_CERT_AUTHORITY_INVALID';
    const question = { chain: chainOf(certificate), hostname, authorities, now: Date.now() };
    answer(unknown && isTrustedChain(question) ? accept : asChromiumSays);
  });
}

function readOrNone(caFile: string | null, log: Log): readonly string[] {
  try {
    return readAuthorityFile(caFile);
  } catch (thrown) {
    log.error({ code: toTileliftError(thrown).code }, 'the certificate file can’t be used');
    return [];
  }
}

/** A self-signed one may name itself as its issuer. */
function chainOf(server: Certificate): readonly string[] {
  const chain: string[] = [];
  for (let one: Certificate | undefined = server; one && !chain.includes(one.data); one = one.issuerCert)
    chain.push(one.data);
  return chain;
}
