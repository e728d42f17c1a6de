import type { Log } from '#server/core/ports.ts';
import type { ChannelSettings } from '#server/core/channel-settings.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { Settings } from './settings.ts';

interface Secrets {
  readonly token: string | null;
  readonly channels: readonly ChannelSettings[];
  readonly metricsToken: string | null;
}

/** What does not change while Perpdesk runs, by the settings that it comes from. */
const FIXED = [
  ['DESK_CONNECTION_ID', ({ credential }: GatewaySettings) => credential?.connectionId],
  ['DESK_DATABASE_URL', ({ databaseUrl }: GatewaySettings) => databaseUrl],
] as const;

/** Reads the secrets anew and passes them on. What is wrong is logged, and changes nothing. */
export function createSecretsReader(
  first: Settings,
  change: (secrets: Secrets) => Promise<void>,
  log: Log,
): { readonly reread: () => void; readonly files: () => readonly string[] } {
  let current = first;
  const reread = (): void => {
    const { settings, problems } = current.reread();
    if (problems !== null) {
      for (const reason of problems)
        log('error', 'secrets not changed', { reason: `${reason} Perpdesk continues with the previous ones.` });
      return;
    }
    for (const [name, valueOf] of FIXED) {
      if (valueOf(settings.gateway) !== valueOf(first.gateway))
        log('warn', 'secret not changed', { name, reason: `${name} takes effect when Perpdesk is restarted.` });
    }
    current = settings;
    const { credential, channels, access } = settings.gateway;
    change({ token: credential?.token ?? null, channels, metricsToken: access.metricsToken }).then(
      () => {
        log('info', 'secrets read again');
      },
      (error: unknown) => {
        log('error', 'secrets not changed', { reason: String(error) });
      },
    );
  };
  return { reread, files: () => current.files };
}
