import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from './build-app.ts';
import { CREDENTIAL, startVenue } from '#venue/conformance/run-conformance.ts';
import { startProcess, type StartedProcess } from './start-process.ts';

interface Venue {
  readonly address: string;
  readonly stop: () => Promise<unknown>;
}

export interface StartedDesk<V extends Venue = StartedProcess> {
  readonly venue: V;
  readonly gateway: StartedProcess;
  /** Base URL of the API. */
  readonly api: string;
  readonly stop: () => Promise<void>;
}

export interface DeskOptions {
  /** Options besides the usual ones of the tests. */
  readonly venue?: readonly string[];
  readonly gateway?: Readonly<Record<string, string>>;
}

/** Starts our own exchange and a gateway in front of it, each in its own process, with a data folder of their own. */
export async function startDesk({
  venue: options = [],
  gateway: environment = {},
}: DeskOptions = {}): Promise<StartedDesk> {
  return startDeskBefore(await startVenue(options), environment);
}

/** Starts a gateway in front of a venue, which is stopped with it, or at once if the gateway does not start. */
export async function startDeskBefore<V extends Venue>(
  venue: V,
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedDesk<V>> {
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

/** Starts a gateway in front of a venue, with the credential of the tests and, by default, without a budget, and without a reading that no test makes. */
export async function startGateway(
  venueUrl: string,
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  await buildApp();
  return startProcess('src/server/main/main.ts', [], {
    DESK_PORT: '0',
    DESK_DATA_DIR: dataDir,
    DESK_LOG_LEVEL: 'error',
    DESK_VENUE_URL: venueUrl,
    DESK_CONNECTION_ID: CREDENTIAL.connectionId,
    DESK_AUTH_TOKEN: CREDENTIAL.token,
    DESK_BUDGET: '0',
    DESK_JOURNAL_SECONDS: '0',
    ...environment,
  });
}
