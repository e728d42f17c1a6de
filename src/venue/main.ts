// The reference exchange as a program of its own.
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createVenue, type Venue, type VenuePorts } from './create-venue.ts';
import { createDoorServer } from './door/server.ts';
import { keepCredential } from './kept-credential.ts';
import { readVenueSettings, type VenueSettings } from './venue-settings.ts';

const HOST = '127.0.0.1';
const CREDENTIAL_FILE = '.perpdesk/venue-credential';
/** How long requests in progress may still take once the exchange is closing. */
const GRACE_MS = 3_000;

const ports: VenuePorts = {
  wall: Date.now,
  setTimer: (call, milliseconds) => {
    const timer = setTimeout(call, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  randomHex: (bytes) => randomBytes(bytes).toString('hex'),
  report: (fault) => {
    console.error('venue:', fault);
  },
};

/** Starts everything; what keeps it from starting comes back as sentences. */
async function serve(): Promise<readonly string[]> {
  const { settings, problems } = readVenueSettings(process.argv.slice(2));
  if (problems !== null) return problems;
  try {
    const [first, ...rest] = settings.credentials;
    const credentials = first === undefined ? ([keepCredential(CREDENTIAL_FILE, ports.randomHex)] as const) : ([first, ...rest] as const);
    const venue = await createVenue({ ...settings, credentials }, ports);
    return await open(venue, settings);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function open(venue: Venue, settings: VenueSettings): Promise<readonly string[]> {
  const server = createDoorServer(venue.door);
  try {
    await listen(server, settings.port);
  } catch (error) {
    await venue.close();
    return [listenProblem(error, settings.port)];
  }
  venue.start();
  closeOnSignals(server, venue);
  const made = settings.credentials.length === 0;
  if (made) console.log(`venue: key of connection ${venue.credential.connectionId} in ${CREDENTIAL_FILE}`);
  console.log(`venue: ready at http://${HOST}:${portOf(server)}${venue.basePath}`);
  return [];
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
  if (code === 'EADDRINUSE') return `Port ${port} is taken: stop the program that has it, or choose another with --port (0 takes any free one).`;
  if (code === 'EACCES') return `This user may not listen on port ${port}: choose one from 1024 on with --port.`;
  return `Cannot listen on port ${port}: ${error instanceof Error ? error.message : String(error)}`;
}

/** The process ends by itself once nothing is open any more. */
function closeOnSignals(server: Server, venue: Venue): void {
  let closing = false;
  const close = (): void => {
    if (closing) return;
    closing = true;
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, GRACE_MS);
    server.close(() => {
      clearTimeout(deadline);
      venue.close().catch(ports.report);
    });
    server.closeIdleConnections();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close);
}

const problems = await serve();
for (const problem of problems) console.error(`venue: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
