import { createHash } from 'node:crypto';
import type { Exchange } from '../http/exchange.ts';

const style = `
:root{color-scheme:light dark;--ground:#f6f7f9;--panel:#fff;--ink:#16202b;--ink2:#4a5868;--line:#dfe4ea;--accent:#0b6e83;--on:#fff;--soft:#e1f1f4}
@media (prefers-color-scheme:dark){:root{--ground:#12171d;--panel:#1a2129;--ink:#e9eef3;--ink2:#b3bfcc;--line:#2b3540;--accent:#4fb6c9;--on:#08222a;--soft:#173138}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);font:15px/1.5 Inter,system-ui,sans-serif}
main{width:100%;max-width:440px;padding:32px;background:var(--panel);border:1px solid var(--line);border-radius:14px}
h1{margin:0 0 8px;font-size:21px;line-height:1.3;font-weight:650}
p{margin:0 0 16px;color:var(--ink2);overflow-wrap:anywhere}
strong{color:var(--ink);font-weight:600}
ul{margin:0 0 20px;padding:0;list-style:none;border-top:1px solid var(--line)}
li{display:flex;gap:12px;padding:11px 0;border-bottom:1px solid var(--line)}
li::before{content:"";flex:none;width:10px;height:10px;margin-top:7px;border-radius:3px;background:var(--accent)}
.buttons{display:flex;gap:12px;margin:24px 0 16px}
button{flex:1;min-height:44px;padding:0 16px;border:1px solid var(--line);border-radius:7px;background:transparent;color:var(--ink);font:inherit;font-weight:600;cursor:pointer}
button.main{border-color:var(--accent);background:var(--accent);color:var(--on)}
button:hover{filter:brightness(1.07)}
button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 20px;margin:16px 0 0}
dt{color:var(--ink2)}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.note{margin:0;font-size:13px}
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Sends a page without scripts and frames. `formTarget`: source for redirects after a form, because browsers
 * check them against `form-action`.
 */
export function sendPage(
  exchange: Exchange,
  status: number,
  page: { readonly title: string; readonly content: string; readonly formTarget?: string },
): void {
  const target = page.formTarget === undefined ? '' : ` ${page.formTarget}`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${page.content}
</main>
</body>
</html>
`;
  exchange.send(status, 'text/html; charset=utf-8', html, {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${target}; frame-ancestors 'none'; base-uri 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
}
