import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { memoryLimits } from '../../../src/cli/node-flags.mjs';
import { CREDENTIAL } from './sign.ts';

/** Settings of a gateway in front of an exchange: with a data folder of its own, and without a budget, so that nothing limits it. */
export function gatewayEnvironment(venueUrl: string, folder: string): Readonly<Record<string, string>> {
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
