import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { load, type LoadResult } from '../lib/load.ts';
import { memoryLimits, venueNodeFlags } from '../../../src/cli/node-flags.mjs';
import { startProgram, type Program } from '../lib/program.ts';
import { artifacts } from '../lib/report.ts';
import { CREDENTIAL, signNow } from '../lib/sign.ts';

/** The folder of the stores. Each run creates them again. */
export const stores = join(artifacts, 'venue');

const ORDERS_PATH = '/v1/prod/orders';

export interface VenueArguments {
  readonly store: string;
  readonly orders?: number;
  readonly working?: number;
  readonly live?: boolean;
  readonly core?: number;
  /** Loads the probe of the event loop, which takes a little of a core itself. */
  readonly probed?: boolean;
}

const PROBE = join(import.meta.dirname, '..', 'lib', 'loop-probe.ts');

export function startVenue({
  store,
  orders,
  working,
  live = false,
  core,
  probed = false,
}: VenueArguments): Promise<Program> {
  const given = { port: 0, store: join(stores, store), orders, working, live: live ? 'on' : 'off', budget: 0 };
  const options = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
  return startProgram({
    args: [...venueNodeFlags, ...(probed ? ['--import', PROBE] : []), join('src', 'venue', 'main.ts'), ...options],
    ready: /ready at (http:\S+)/,
    environment: { ...memoryLimits, VENUE_CREDENTIAL: CREDENTIAL },
    ...(core !== undefined && { core }),
  });
}

/** Starts the server, which has its own database with the same orders as the exchange's store. */
export function startObviousServer(venueStore: string, core: number): Promise<Program> {
  const program = join(import.meta.dirname, 'obvious-server.ts');
  return startProgram({
    args: [program, join(stores, 'obvious.sqlite'), join(stores, venueStore)],
    ready: /ready at (http:\S+)/,
    core,
  });
}

export interface OrdersRequest {
  readonly connections: number;
  readonly seconds: number;
  readonly cursor?: string;
}

/** Reads pages of a hundred. */
export function loadOrders(server: Program, { cursor, ...options }: OrdersRequest): Promise<LoadResult> {
  const after = cursor === undefined ? '' : `&cursor=${cursor}`;
  const path = toTarget(server, `${ORDERS_PATH}?limit=100${after}`);
  return load({ address: server.address, path, headers: signNow(path), ...options });
}

/** Returns the body of the response to one private request below the orders' path. */
export async function readOrders(server: Program, rest: string): Promise<string> {
  const path = toTarget(server, ORDERS_PATH + rest);
  const { hostname, port } = server.address;
  const [response] = (await once(get({ hostname, port, path, headers: signNow(path) }), 'response')) as [
    IncomingMessage,
  ];
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${path}: ${String(response.statusCode)} ${body}`);
  return body;
}

/** Returns the cursor after a number of pages of a hundred, reached in pages of a thousand. */
export async function walkTo(server: Program, pages: number): Promise<string> {
  let cursor = '';
  for (let thousand = 0; thousand < pages / 10; thousand++) {
    const body = await readOrders(server, `?limit=1000${cursor && `&cursor=${cursor}`}`);
    const next = /"cursor":"([^"]+)"\}\}$/.exec(body)?.[1];
    if (next === undefined || next === cursor) throw new Error(`there is no page ${String(thousand * 10)}`);
    cursor = next;
  }
  return cursor;
}

function toTarget(server: Program, path: string): string {
  const base = server.address.pathname;
  return (base === '/' ? '' : base) + path;
}
