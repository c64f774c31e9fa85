/** RFC 6761, RFC 6762 with its appendix G, RFC 8375, and names without a dot: not in public DNS. */
export const privateName =
  /^(?:[^.]+|.+\.(?:localhost|local|internal|home\.arpa|lan|corp|home|intranet|private))$/;
