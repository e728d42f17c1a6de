import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { buildApp } from '../build-app.ts';
import { openFaultyVenue } from '../faults/faulty-venue.ts';
import { startDeskProcess, type DeskProcess } from '../attacks/desk-process.ts';

export interface ProvidedDesk extends DeskProcess {
  readonly folder: string;
  readonly socket: string;
  /** Whether it listens on its socket or on a port. */
  readonly request: (path: string, options?: DeskRequest) => Promise<DeskResponse>;
}

interface DeskRequest {
  readonly method?: string;
  /** The headers: names and values in turn, sent unchanged, or an object. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

export interface DeskResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const GROUPS = {
  traders: { roles: ['orders'], accounts: ['NORD-105'] },
  desk: { roles: ['operations', 'admin'], all: true },
};

/** Creates a folder with the file of groups. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-provided-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, 'groups.json'), JSON.stringify(GROUPS));
  return folder;
}

/** Opens a whole server, in a separate process. A provider or proxy names its people. */
export async function openProvidedDesk(
  environment: Readonly<Record<string, string>>,
  folder = newFolder(),
): Promise<ProvidedDesk> {
  await buildApp();
  const venue = await openFaultyVenue({ now: Date.now });
  const socket = join(folder, 'desk.sock');
  const desk = await startDeskProcess({
    environment: {
      DESK_VENUE_URL: venue.baseUrl,
      DESK_BUDGET: '0',
      DESK_LOG_LEVEL: 'info',
      DESK_DATA_DIR: join(folder, 'data'),
      DESK_GROUPS: join(folder, 'groups.json'),
      ...environment,
    },
  });
  onTestFinished(async () => {
    desk.signal('SIGTERM');
    await desk.ended;
    await venue.close();
  });
  return { ...desk, folder, socket, request: (path, options) => request(desk.address ?? '', socket, path, options) };
}

async function request(
  address: string,
  socket: string,
  path: string,
  { method = 'GET', headers = [], body = '' }: DeskRequest = {},
): Promise<DeskResponse> {
  const target = address.startsWith('unix:')
    ? { socketPath: socket }
    : { host: '127.0.0.1', port: new URL(address).port };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    send({ ...target, path, method, headers: ['host', 'localhost', ...headers], agent: false }, resolve)
      .once('error', reject)
      .end(body);
  });
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
