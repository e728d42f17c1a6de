import type { ServerPorts } from '#server/core/ports.ts';
import { type Certificate, toSecureContext } from '#server/core/tls-context.ts';
import type { SettingsFiles } from './source.ts';
import { watchFiles } from '#server/core/watch-files.ts';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** Paths of a certificate with its chain, and of its key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** A matching certificate and key, or a sentence about what is wrong with them. */
export type TlsPair = Certificate | { readonly problem: string };

export function readTlsPair(paths: TlsFiles, files: SettingsFiles): TlsPair {
  const ofCert = `DESK_TLS_CERT is "${paths.cert}"`;
  const ofKey = `DESK_TLS_KEY is "${paths.key}"`;
  let cert;
  try {
    cert = files.read(paths.cert);
  } catch {
    return { problem: `${ofCert}, which cannot be read.` };
  }
  const secret = files.readSecret(paths.key);
  if ('problem' in secret) return { problem: `${ofKey}, which ${secret.problem}.` };
  const certificate = attempt(() => new X509Certificate(cert));
  if (certificate === null) return { problem: `${ofCert}, which does not begin with a certificate in PEM.` };
  const key = attempt(() => createPrivateKey(secret.text));
  if (key === null) return { problem: `${ofKey}, which is not a private key in PEM without a passphrase.` };
  if (!belongsTo(certificate, key))
    return { problem: `${ofKey}, which is not the key of the certificate in DESK_TLS_CERT.` };
  const pair = { cert, key: secret.text };
  const reason = findRejection(pair);
  return reason === null ? pair : { problem: `${ofCert}, which OpenSSL rejects: ${reason}.` };
}

/** Returns why no server can use this pair. Only loading it reveals a truncated chain or a short key. */
function findRejection(pair: Certificate): string | null {
  try {
    createSecureContext(toSecureContext(pair));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function belongsTo(certificate: X509Certificate, key: KeyObject): boolean {
  return attempt(() => certificate.checkPrivateKey(key)) === true;
}

function attempt<Value>(make: () => Value): Value | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** Reloads a certificate when it changes. After a mistake, the previous certificate stays in use. */
export function watchCertificate(
  paths: TlsFiles,
  files: SettingsFiles,
  use: (pair: Certificate) => void,
  { schedule, log }: Pick<ServerPorts, 'schedule' | 'log'>,
): () => Promise<void> {
  return watchFiles(
    () => [paths.cert, paths.key],
    schedule,
    () => {
      const pair = readTlsPair(paths, files);
      if ('problem' in pair) {
        log('error', 'certificate not loaded', { reason: `${pair.problem} The previous certificate remains in use.` });
        return;
      }
      use(pair);
      log('info', 'certificate loaded', { file: paths.cert });
    },
  );
}
