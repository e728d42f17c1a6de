import type { SecureContextOptions } from 'node:tls';

/** A certificate with its chain, and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const OLDEST_VERSION = 'TLSv1.2';
/** Only ciphers with authenticated encryption and forward secrecy. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');

/** Returns how a server encrypts with a certificate. */
export function toSecureContext(certificate: Certificate): SecureContextOptions {
  return { ...certificate, minVersion: OLDEST_VERSION, ciphers: CIPHERS, honorCipherOrder: true };
}
