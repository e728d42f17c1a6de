import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from './build-app.ts';
import { CREDENTIAL, VENUE_ARGUMENTS } from './conformance/run-on.ts';
import { startProcess, type StartedProcess } from './start-process.ts';

export interface StartedDesk {
  readonly venue: StartedProcess;
  readonly gateway: StartedProcess;
  /** Where the interface is answered. */
  readonly api: string;
  readonly stop: () => Promise<void>;
}

export interface DeskOptions {
  /** Beside, and before, those that every exchange of the tests is started with. */
  readonly venue?: readonly string[];
  readonly gateway?: Readonly<Record<string, string>>;
}

/** Our own exchange and the gateway before it, in a process each, with a folder of their own. */
export async function startDesk({ venue: options = [], gateway: environment = {} }: DeskOptions = {}): Promise<StartedDesk> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  const venue = await startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, '--store', ':memory:', ...options]);
  const gateway = await startGateway(venue.address, dataDir, environment);
  return {
    venue,
    gateway,
    api: `${gateway.address}api`,
    stop: async () => {
      await gateway.stop();
      await venue.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The gateway before a venue, with the credential that every exchange of the tests knows. Without other word, no budget. */
export async function startGateway(
  venueUrl: string,
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  // It serves the app, too.
  await buildApp();
  return startProcess('src/gateway/main.ts', [], {
    DESK_PORT: '0',
    DESK_DATA_DIR: dataDir,
    DESK_LOG_LEVEL: 'error',
    DESK_VENUE_URL: venueUrl,
    DESK_CONNECTION_ID: CREDENTIAL.connectionId,
    DESK_AUTH_TOKEN: CREDENTIAL.token,
    DESK_BUDGET: '0',
    ...environment,
  });
}
