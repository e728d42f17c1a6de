import type { GatewayPorts } from '../ports.ts';
import { settingsFiles } from './settings.ts';
import { readTlsPair, type TlsFiles } from './tls-files.ts';
import { watchFiles } from '../watch-files.ts';

/** Loads a certificate again when it changes. While there is a mistake in it, the one before stays. */
export function watchCertificate(paths: TlsFiles, use: (pair: { readonly cert: string; readonly key: string }) => void, { schedule, log }: Pick<GatewayPorts, 'schedule' | 'log'>): () => Promise<void> {
  const end = watchFiles([paths.cert, paths.key], schedule, () => {
    const pair = readTlsPair(paths, settingsFiles);
    if ('problem' in pair) {
      log('error', 'certificate not loaded', { reason: `${pair.problem} The one before stays in use.` });
      return;
    }
    use(pair);
    log('info', 'certificate loaded', { file: paths.cert });
  });
  return () => {
    end();
    return Promise.resolve();
  };
}
