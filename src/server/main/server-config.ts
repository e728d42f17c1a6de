import { toMountPrefix, type VenueProfile } from '#contract/exchange/addresses.ts';
import type { ProviderSettings } from '#server/core/provider-settings.ts';
import type { ServerSettings } from '#server/ops/process/server-settings.ts';
import type { TransportLimits } from '#server/proxy/upstream/transport.ts';
import type { AppFiles } from '#server/web/app-files.ts';

export interface ServerConfig
  extends
    Pick<ServerSettings, 'credential' | 'budget' | 'dataDir' | 'databaseUrl'>,
    Partial<
      Pick<
        ServerSettings,
        | 'compressesLive'
        | 'journalSeconds'
        | 'journalBytes'
        | 'priceDays'
        | 'channels'
        | 'holidaysFile'
        | 'heartbeat'
        | 'access'
        | 'auditing'
        | 'given'
        | 'secrets'
        | 'name'
      >
    > {
  readonly profile: VenueProfile & { readonly baseUrl: string };
  /** Identifies the exchange in the store if its address changes with each start; the default is its address. */
  readonly venueId?: string;
  /** Overrides of the default timeouts. */
  readonly limits?: Partial<TransportLimits>;
  /** The service that identifies people, if Perpdesk does not do so itself. */
  readonly provider?: ProviderSettings | null;
  /** The address on which the server listens. */
  readonly address?: string;
  /** The built app; without it, every path outside the API is a 404. */
  readonly app?: AppFiles;
}

export const WITHOUT_PEOPLE = { mode: 'local', sessionHours: 168, idleHours: 12, metricsToken: null } as const;

/** Returns the names under which the data of this exchange are stored. */
export function toIds({ profile, venueId = profile.baseUrl, credential }: ServerConfig) {
  return {
    venueId,
    // Each environment of an exchange has its own data, and its own mount.
    fundingId: `${venueId} ${toMountPrefix(profile, 'funding')}`,
    // Whose orders these are, and in which environment.
    scope: `${venueId} ${toMountPrefix(profile, 'orders')} ${credential?.connectionId ?? ''}`,
  };
}

/** How often the journal is read; null if it is not recorded: without a key, orders cannot be read. */
export function toJournalSeconds({ credential, journalSeconds = null }: ServerConfig): number | null {
  return credential === null ? null : journalSeconds;
}
