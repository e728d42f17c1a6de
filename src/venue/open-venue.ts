import type { Server } from 'node:http';
import { createVenue, type Venue, type VenuePorts } from './create-venue.ts';
import { createApiServer } from './server.ts';
import type { Credential } from './http/authenticate.ts';
import { readOrCreateCredential } from './credentials.ts';
import type { VenueSettings } from './venue-settings.ts';

export interface OpenVenue {
  /** Its base URL, for example `http://127.0.0.1:4010/exchange/api`. */
  readonly address: string;
  readonly identity: Venue['identity'];
  readonly credential: Credential;
  readonly copyStore: Venue['copyStore'];
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';
/** How long requests may still take once the exchange is closing. */
const GRACE_MS = 3_000;

/** Opens the exchange on a port of this machine. Without credentials in the settings, the one in the file is used. */
export async function openVenue(
  settings: VenueSettings,
  credentialFile: string,
  ports: VenuePorts,
): Promise<OpenVenue> {
  const [first, ...rest] = settings.credentials;
  const credentials = [first ?? readOrCreateCredential(credentialFile, ports.randomHex), ...rest] as const;
  const venue = await createVenue({ ...settings, credentials }, ports);
  const server = createApiServer(venue.api);
  try {
    await listen(server, settings.port);
  } catch (error) {
    await venue.close();
    throw new Error(listenProblem(error, settings.port), { cause: error });
  }
  venue.start();
  let closing: Promise<void> | undefined;
  return {
    address: `http://${HOST}:${portOf(server)}${venue.basePath}`,
    identity: venue.identity,
    credential: venue.credential,
    copyStore: venue.copyStore,
    close: () => (closing ??= close(server, venue, ports)),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: HOST, port }, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

function listenProblem(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the program that uses it, or choose another with --port (0 takes any free one).`;
  if (code === 'EACCES') return `This user may not listen on port ${port}: choose a port of 1024 or above with --port.`;
  return `Cannot listen on port ${port}: ${error instanceof Error ? error.message : String(error)}`;
}

async function close(server: Server, venue: Venue, { setTimer }: VenuePorts): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = setTimer(() => {
      server.closeAllConnections();
    }, GRACE_MS);
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
  await venue.close();
}
