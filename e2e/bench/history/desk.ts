import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayNodeFlags } from '../../../src/tools/node-flags.mjs';
import { startProgram, type Program } from '../lib/program.ts';
import { artifacts } from '../lib/report.ts';
import { CREDENTIAL } from '../lib/sign.ts';

/** The gateway before an exchange, with no budget: a reader would need an hour and a half for so many pages. */
export function startDesk(venue: URL, core: number): Promise<Program> {
  const [connectionId = '', token = ''] = CREDENTIAL.split(':');
  const folder = join(artifacts, 'history');
  mkdirSync(folder, { recursive: true });
  return startProgram({
    args: [...gatewayNodeFlags, join('src', 'gateway', 'main.ts')],
    ready: /ready at (http:\S+)/,
    core,
    environment: {
      DESK_VENUE_URL: venue.href.replace(/\/$/, ''),
      DESK_CONNECTION_ID: connectionId,
      DESK_AUTH_TOKEN: token,
      DESK_PORT: '0',
      DESK_BUDGET: '0',
      DESK_DATA_DIR: mkdtempSync(join(folder, 'data-')),
      DESK_LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    },
  });
}
