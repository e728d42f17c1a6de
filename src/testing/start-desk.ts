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
  readonly server: StartedProcess;
  /** The base URL of the API. */
  readonly api: string;
  readonly stop: () => Promise<void>;
}

export interface DeskOptions {
  /** Options in addition to the usual ones of the tests. */
  readonly venue?: readonly string[];
  readonly server?: Readonly<Record<string, string>>;
}

/** Starts our own exchange and a server in front of it, each in its own process with its own data folder. */
export async function startDesk({
  venue: options = [],
  server: environment = {},
}: DeskOptions = {}): Promise<StartedDesk> {
  return startDeskBefore(await startVenue(options), environment);
}

/** Starts a server in front of an exchange, which is stopped with it, or at once if the server does not start. */
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
    const server = await startServer(venue.address, dataDir, environment);
    return {
      venue,
      server,
      api: `${server.address}api`,
      stop: async () => {
        await server.stop();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Starts a server in front of an exchange, with the credential of the tests. By default it has no budget and reads
 * nothing that no test requests. `tree` is of the version to start.
 */
export async function startServer(
  venueUrl: string,
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  tree = '.',
): Promise<StartedProcess> {
  await buildApp();
  return startProcess(join(tree, 'src/server/main/main.ts'), [], {
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
