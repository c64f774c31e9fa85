/** What pages may load: nothing but what the package holds. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // Markup is made by Svelte's own policy or not at all.
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ');
