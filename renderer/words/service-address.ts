/** Checks an address that a person typed for a service. Main checks again; here it is about saying it at once. */

/** Null when the address can be used, else what is wrong with it. */
export function addressProblem(text: string): string | null {
  const address = text.trim();
  if (address === '') return 'Give an address.';
  if (!URL.canParse(address)) return 'Give a whole address, beginning with https://';
  const url = new URL(address);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    return 'The address has to begin with https://';
  }
  if (url.username !== '' || url.password !== '') return 'Leave name and password out of the address.';
  if (url.search !== '' || url.hash !== '') return 'Leave out everything after the path.';
  return null;
}

/** The address as it is kept: no space around it, no slash at its end. */
export function tidyAddress(text: string): string {
  return text.trim().replace(/\/+$/, '');
}

/** A name for a service that has only addresses: its API host. */
export function serviceName(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
