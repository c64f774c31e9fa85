/** Origin of our pages: a custom scheme without the rights of `file://`. Other callers are refused. */
export const pageOrigin = 'app://tilelift';
