import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clients } from '../account/clients.ts';
import { OAuthError } from '../account/oauth-error.ts';
import { scopeWords } from '../account/scopes.ts';
import type { Tokens } from '../account/tokens.ts';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { ServiceSettings } from '../model.ts';
import {
  type AuthorizationRequest,
  codeLocation,
  errorLocation,
  readAuthorizationRequest,
  type SignInBehaviour,
} from './authorization-request.ts';
import { escapeHtml, sendPage } from './page.ts';

const decisionMs = 10 * 60_000;

interface ShownPage {
  readonly request: AuthorizationRequest;
  readonly csrf: string;
  readonly endsAt: number;
}

/** The page on which the user allows or denies (contract 4.1). */
export class AuthorizationPage {
  readonly #pages = new Map<string, ShownPage>();
  readonly #clients: Clients;
  readonly #tokens: Tokens;
  /** Accounts signed in in this browser; the first is preselected. */
  readonly #accounts: readonly [string, ...string[]];
  readonly #behaviour: SignInBehaviour;
  readonly #now: () => number;

  constructor(
    clients: Clients,
    tokens: Tokens,
    { accountName, furtherAccounts }: Pick<ServiceSettings, 'accountName' | 'furtherAccounts'>,
    behaviour: SignInBehaviour,
    now: () => number,
  ) {
    this.#clients = clients;
    this.#tokens = tokens;
    this.#accounts = [accountName, ...furtherAccounts];
    this.#behaviour = behaviour;
    this.#now = now;
  }

  /** GET {auth_url}/oauth. */
  async show(exchange: Exchange): Promise<void> {
    const query = new URLSearchParams(exchange.query);
    const requestReading = await readAuthorizationRequest(query, this.#clients, this.#behaviour);
    if (requestReading.kind === 'redirect') return redirect(exchange, requestReading.location);
    const { request } = requestReading;
    this.#forgetOld();
    const id = randomBytes(16).toString('base64url');
    const csrf = randomBytes(32).toString('base64url');
    this.#pages.set(id, { request, csrf, endsAt: this.#now() + decisionMs });
    sendPage(exchange, 200, {
      title: `Allow ${request.client.name}?`,
      content: this.#content(request, id, csrf),
      formTarget: redirectSource(request.redirectUri),
    });
  }

  /** The form's POST. Each page decides once; its token is bound to the shown request. */
  async decide(exchange: Exchange): Promise<void> {
    if (exchange.contentType() !== 'application/x-www-form-urlencoded') {
      throw new Refusal(415, 'UnsupportedMediaType', 'This is not the form of the page.');
    }
    const form = new URLSearchParams((await exchange.readBody(10_000)).toString('utf8'));
    const id = form.get('request') ?? '';
    const page = this.#pages.get(id);
    if (!page || page.endsAt <= this.#now() || !isSameText(form.get('csrf') ?? '', page.csrf)) {
      throw new Refusal(
        403,
        'InvalidForm',
        'This page is too old or was used already. Start again in the application.',
      );
    }
    const decision = form.get('decision');
    if (decision !== 'allow' && decision !== 'deny') {
      throw new Refusal(400, 'InvalidForm', 'Choose Allow or Deny.');
    }
    this.#pages.delete(id);
    const { client, redirectUri, scopes, challenge, state } = page.request;
    if (decision === 'deny') {
      const deniedError = new OAuthError('access_denied', 'The person did not allow it.');
      return redirect(exchange, errorLocation(redirectUri, state, deniedError));
    }
    const account = form.get('account') ?? this.#accounts[0];
    if (!this.#accounts.includes(account)) throw new Refusal(400, 'InvalidForm', 'Choose an account.');
    const grant = { clientId: client.id, redirectUri, scopes, account };
    const code = this.#tokens.issueCode(grant, challenge);
    redirect(exchange, codeLocation(redirectUri, state, code));
  }

  #content(request: AuthorizationRequest, id: string, csrf: string): string {
    const name = escapeHtml(request.client.name);
    const wishes = request.scopes.map((scope) => `<li>${escapeHtml(scopeWords[scope])}</li>`).join('\n');
    return `<h1>Allow ${name} to use your account?</h1>
<p>You are signed in as <strong>${escapeHtml(this.#accounts[0])}</strong>. ${name} asks to:</p>
<ul>
${wishes}
</ul>
<form method="post" action="${escapeHtml(this.#behaviour.signInPath)}/oauth">
<input type="hidden" name="request" value="${id}">
<input type="hidden" name="csrf" value="${csrf}">${this.#choice()}
<div class="buttons">
<button type="submit" name="decision" value="deny">Deny</button>
<button type="submit" name="decision" value="allow" class="main">Allow</button>
</div>
</form>
<p class="note">You then return to <strong>${escapeHtml(request.redirectUri)}</strong>. If the browser asks whether it may open ${name}, let it. You can close this page afterwards.</p>`;
  }

  #choice(): string {
    if (this.#accounts.length === 1) return '';
    const options = this.#accounts.map((name) => `<option>${escapeHtml(name)}</option>`);
    return `\n<p><label>As <select name="account">${options.join('')}</select></label></p>`;
  }

  #forgetOld(): void {
    for (const [id, { endsAt }] of this.#pages) if (endsAt <= this.#now()) this.#pages.delete(id);
  }
}

function redirect(exchange: Exchange, location: string): void {
  exchange.response
    .writeHead(302, {
      Location: location,
      'Cache-Control': 'no-store',
      'Content-Length': 0,
      'Referrer-Policy': 'no-referrer',
    })
    .end();
}

/** A source for `form-action`: the origin of a web address, otherwise the scheme. */
function redirectSource(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol;
}

function isSameText(actual: string, expected: string): boolean {
  const bytes = Buffer.from(actual);
  return bytes.length === Buffer.byteLength(expected) && timingSafeEqual(bytes, Buffer.from(expected));
}
