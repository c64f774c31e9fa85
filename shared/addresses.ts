/** Where alerts may go. */

/** One mail address; no name beside it, no line break in it. */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>",;:()]+@[^\s@<>",;:()]+$/.test(text);
}

/** https, without a user or password in it; this computer itself may be spoken to without encryption. */
export function isWebhookAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
