/** Asymmetric algorithms only: with a shared secret, anyone who can verify a token can also forge one. */
export const SIGNATURE_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** The tolerated difference between the clocks of two machines. */
export const CLOCK_TOLERANCE_SECONDS = 30;
