import { findPlainPassage, PLAIN_BY_CHOICE } from '#sql/postgres-address.ts';
import type { Log } from '#server/core/ports.ts';
import type { GatewaySettings } from './gateway-settings.ts';

/** An address may say that nothing encrypts what passes to the database: one line repeats it. */
export function warnOfPlainDatabase(log: Log, { databaseUrl }: Pick<GatewaySettings, 'databaseUrl'>): void {
  if (databaseUrl !== null && findPlainPassage(databaseUrl) === 'by choice')
    log('warn', 'database without TLS', { reason: PLAIN_BY_CHOICE });
}
