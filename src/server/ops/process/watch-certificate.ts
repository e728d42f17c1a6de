import type { GatewayPorts } from '#server/core/ports.ts';
import type { Certificate } from '#server/core/tls-context.ts';
import type { SettingsFiles } from './source.ts';
import { readTlsPair, type TlsFiles } from './tls-files.ts';
import { watchFiles } from '#server/core/watch-files.ts';

/** Loads a certificate again when it changes. While there is a mistake in it, the one before stays. */
export function watchCertificate(
  paths: TlsFiles,
  files: SettingsFiles,
  use: (pair: Certificate) => void,
  { schedule, log }: Pick<GatewayPorts, 'schedule' | 'log'>,
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
