/** Errors of OpenSSL for a certificate whose issuer is not trusted; others are about its names or its dates. */
const UNKNOWN: readonly unknown[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** What helps if the authority is the operator’s own. Node.js’s own advice names an option that a service does not have. */
export const TRUST_ADVICE =
  'if its authority is your own, set DESK_CA_FILE to a file with the certificate of that authority';

export function isUnknownAuthority(code: unknown): boolean {
  return UNKNOWN.includes(code);
}
