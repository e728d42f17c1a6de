import { X509Certificate } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Source } from './source.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the certificates of the operator's own authorities, in PEM. */
export function readTrustedAuthorities({ value, files, problem }: Source): readonly string[] {
  const path = value('DESK_CA_FILE');
  if (path === null) return [];
  const fail = (what: string): readonly string[] => {
    problem(`DESK_CA_FILE is "${path}", which ${what}.`);
    return [];
  };
  let text;
  try {
    text = files.read(path);
  } catch {
    return fail('cannot be read');
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) return fail('holds no certificate in PEM');
  return certificates.every(isReadable) ? certificates : fail('holds a certificate that cannot be read');
}

function isReadable(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0;
  } catch {
    return false;
  }
}

/**
 * Trusts these authorities in addition to those of Node.js, for each connection that this process opens from now on: to
 * the exchange, the OpenID provider, the database, webhooks and the mail server.
 */
export function trustAuthorities(certificates: readonly string[]): void {
  if (certificates.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
}
