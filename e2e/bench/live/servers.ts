import { join } from 'node:path';
import { serverNodeFlags, memoryLimits, venueNodeFlags } from '../../../src/cli/node-flags.mjs';
import { serverEnvironment } from '../lib/gateway-environment.ts';
import { startProgram, type Program } from '../lib/program.ts';
import { artifacts } from '../lib/report.ts';
import { CREDENTIAL } from '../lib/sign.ts';
import { ORDERS } from './book.ts';

const READY = /ready at (http:\S+)/;
export const folder = join(artifacts, 'live');

/** Starts clients of a stream. With the manner `pauses`, they read nothing after the head of the response. */
export function startReaders(address: URL, count: number, manner = ''): Promise<Program> {
  return startProgram({
    args: [join(import.meta.dirname, 'readers.ts'), address.href, String(count), manner],
    ready: READY,
  });
}

/** Starts an exchange with products and 10,000 working orders, whose market stands still. */
export function startVenue(): Promise<Program> {
  const options = [
    '--port',
    '0',
    '--store',
    ':memory:',
    '--history-days',
    '40',
    '--orders',
    String(ORDERS + 1_000),
    '--working',
    String(ORDERS),
    '--live',
    'off',
    '--budget',
    '0',
  ];
  return startProgram({
    args: [...venueNodeFlags, join('src', 'venue', 'main.ts'), ...options],
    ready: READY,
    environment: { ...memoryLimits, VENUE_CREDENTIAL: CREDENTIAL },
  });
}

/** Starts the changing exchange in front of another one, if given. */
export function startUpstream(venue?: URL): Promise<Program> {
  return startProgram({
    args: [join(import.meta.dirname, 'upstream.ts'), ...(venue === undefined ? [] : [toBase(venue)])],
    ready: READY,
  });
}

/**
 * Starts Perpdesk without a budget, so that the cadence is the shortest one, and without readings for the journal, so
 * that all readings are for streams.
 */
export function startServer(upstream: URL): Promise<Program> {
  return startProgram({
    args: [
      ...serverNodeFlags,
      '--expose-gc',
      '--import',
      join(import.meta.dirname, 'memory-probe.ts'),
      join('src', 'server', 'main', 'main.ts'),
    ],
    ready: READY,
    environment: { ...serverEnvironment(toBase(upstream), folder), DESK_JOURNAL_SECONDS: '0' },
  });
}

export function toStream(server: Program): URL {
  return new URL('/api/desk/live?topic=working-orders', server.address);
}

function toBase({ href }: URL): string {
  return href.replace(/\/$/, '');
}
