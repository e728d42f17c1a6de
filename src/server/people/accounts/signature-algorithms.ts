/** Asymmetric ones only: with a shared secret, whoever can check a token can also make one. */
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

/** How far the clocks of two machines may differ. */
export const CLOCK_TOLERANCE_SECONDS = 30;
