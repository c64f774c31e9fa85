import { type Certificate, type ProxyConfig, type Session, session } from 'electron';
import { toTileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type PolicyProxy, proxyServer } from '../../policy/policy.ts';
import { readAuthorityFile } from '../../storage/authorities.ts';

interface NetworkSession {
  readonly session: () => Session;
  /** Chromium remembers certificate verdicts for a session's lifetime. */
  readonly renew: () => Promise<void>;
}

/** Separate from the pages' session. `proxy`: null for the system's settings. */
export async function openNetwork(
  name: string,
  caFile: () => string | null,
  proxy: ProxyConfig | null,
  log: Log,
): Promise<NetworkSession> {
  let number = 0;
  const openSession = async () => {
    number += 1;
    const created = session.fromPartition(`${name}-${number}`, { cache: false });
    if (proxy) await created.setProxy(proxy);
    await trustAuthorityFile(created, caFile(), log);
    return created;
  };
  let current = await openSession();
  return {
    session: () => current,
    renew: async () => {
      current = await openSession();
    },
  };
}

/** Null without one. */
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

/** Results of `setCertificateVerifyProc`. */
const accept = 0;
const asChromiumSays = -3;

/**
 * Trusts the file's authorities if Chromium's only objection is an unknown authority. Verdicts are cached:
 * another file needs another session. Logs and ignores an unusable file.
 */
async function trustAuthorityFile(session: Session, caFile: string | null, log: Log): Promise<void> {
  const authorities = readOrNone(caFile, log);
  if (authorities.length === 0) return;
  // The certificate parser is large.
  const { isTrustedChain } = await import('./chain-of-trust.ts');
  session.setCertificateVerifyProc(({ hostname, certificate, verificationResult }, answer) => {
    const isUnknownAuthority = verificationResult === 'net::ERR_CERT_AUTHORITY_INVALID';
    const question = { chain: chainOf(certificate), hostname, authorities, nowMs: Date.now() };
    answer(isUnknownAuthority && isTrustedChain(question) ? accept : asChromiumSays);
  });
}

function readOrNone(caFile: string | null, log: Log): readonly string[] {
  try {
    return readAuthorityFile(caFile);
  } catch (cause) {
    log.error({ code: toTileliftError(cause).code }, 'the certificate file can’t be used');
    return [];
  }
}

/** A self-signed certificate is its own issuer. */
function chainOf(server: Certificate): readonly string[] {
  const chain: string[] = [];
  for (
    let certificate: Certificate | undefined = server;
    certificate && !chain.includes(certificate.data);
    certificate = certificate.issuerCert
  )
    chain.push(certificate.data);
  return chain;
}
