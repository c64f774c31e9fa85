import type { Certificate, Session } from 'electron';
import { toTileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { readAuthorityFile } from '../../storage/connections/authority-file.ts';

/** Chromium's answers to its question, by `setCertificateVerifyProc`. */
const accept = 0;
const asChromiumSays = -3;

/**
 * Lets Chromium trust what the authorities of that file have signed, where its own verdict is that it does not know the authority; every other verdict stands. Chromium
 * remembers its verdicts: another file wants another session. A file that can't be used is said in the log and adds nothing.
 */
export async function trustAuthorityFile(session: Session, caFile: string | null, log: Log): Promise<void> {
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
