import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { memoryLimits } from '../../../src/cli/node-flags.mjs';
import { CREDENTIAL } from './sign.ts';

/**
 * Returns the settings of a server in front of an exchange, with its own data folder and without a budget, so that
 * nothing limits it.
 */
export function serverEnvironment(venueUrl: string, folder: string): Readonly<Record<string, string>> {
  const [connectionId = '', token = ''] = CREDENTIAL.split(':');
  mkdirSync(folder, { recursive: true });
  return {
    ...memoryLimits,
    DESK_VENUE_URL: venueUrl,
    DESK_CONNECTION_ID: connectionId,
    DESK_AUTH_TOKEN: token,
    DESK_PORT: '0',
    DESK_BUDGET: '0',
    DESK_DATA_DIR: mkdtempSync(join(folder, 'data-')),
    DESK_LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  };
}
