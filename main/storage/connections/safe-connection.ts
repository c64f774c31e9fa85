/**
 * What every connection of Tilelift's own to storage or a proxy is made with. Both are said out loud, since Node lets others decide: the variable
 * `NODE_TLS_REJECT_UNAUTHORIZED` switches the check of certificates off, and an address gets 250 ms before the next one is tried, which
 * satellites, mobile networks and full lines don't keep.
 */
export const safeConnection = {
  rejectUnauthorized: true,
  autoSelectFamilyAttemptTimeout: 5_000,
} as const;
