import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from './build-app.ts';
import { CREDENTIAL, startVenue } from './conformance/run-conformance.ts';
import { startProcess, type StartedProcess } from './start-process.ts';

interface Venue {
  readonly address: string;
  readonly stop: () => Promise<unknown>;
}

export interface StartedDesk<V extends Venue = StartedProcess> {
  readonly venue: V;
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
  return startDeskBefore(await startVenue(options), environment);
}

/** The gateway with a folder of its own before a venue, which ends with it, or at once if it does not start. */
export async function startDeskBefore<V extends Venue>(venue: V, environment: Readonly<Record<string, string>> = {}): Promise<StartedDesk<V>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-'));
  const release = async (): Promise<void> => {
    await venue.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const gateway = await startGateway(venue.address, dataDir, environment);
    return {
      venue,
      gateway,
      api: `${gateway.address}api`,
      stop: async () => {
        await gateway.stop();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
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
