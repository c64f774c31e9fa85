/** The origin of our pages: an own scheme, so that none runs with the rights of `file://`. Calls from elsewhere are refused. */
export const pageOrigin = 'app://tilelift';
