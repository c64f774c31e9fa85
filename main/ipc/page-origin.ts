/**
 * The origin of our pages: a scheme of our own, without the rights of `file://`. Other callers are refused.
 */
export const pageOrigin = 'app://tilelift';
