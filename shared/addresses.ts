/** Accepts a bare mail address: no display name, no line break. */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>",;:()]+@[^\s@<>",;:()]+$/.test(text);
}

/** Requires https without credentials; this computer may also use http. */
export function isWebhookAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
