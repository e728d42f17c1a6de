import { setTimeout as pause } from 'node:timers/promises';
import type { PageRequest } from './screens.ts';

const LIVE_PATH = '/api/desk/live';
/** How long a person looks at a product. */
export const VISIT_MS = 8_000;

export interface Waits {
  /** How long the responses took, in milliseconds. */
  readonly all: number[];
  readonly byStatus: Map<number, number>;
  /** Responses with old data instead of new ones. */
  stale: number;
}

/** One browser without a cache of its own, as one that opens each product by a link. */
export async function visit(
  server: string,
  products: readonly (readonly PageRequest[])[],
  waits: Waits,
): Promise<void> {
  const cookie = await greet(server);
  const start = performance.now();
  for (const [index, requests] of products.entries()) {
    const leaving = new AbortController();
    const sent = requests.map((request) => send(server, request, { cookie, waits, signal: leaving.signal }));
    await pause(Math.max(0, start + (index + 1) * VISIT_MS - performance.now()));
    leaving.abort();
    await Promise.all(sent);
  }
}

/** Returns the cookie of a new browser. */
async function greet(server: string): Promise<string> {
  const { headers } = await fetch(server);
  return headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
}

interface Sending {
  readonly cookie: string;
  readonly waits: Waits;
  readonly signal: AbortSignal;
}

async function send(
  server: string,
  { target, purpose }: PageRequest,
  { cookie, waits, signal }: Sending,
): Promise<void> {
  const startedAt = performance.now();
  const headers = { cookie, ...(purpose !== null && { 'desk-purpose': purpose }) };
  try {
    const response = await fetch(new URL(target, server), { headers, signal });
    await response.text();
    waits.byStatus.set(response.status, (waits.byStatus.get(response.status) ?? 0) + 1);
    if (/detail=(?!disk)/.test(response.headers.get('cache-status') ?? '')) waits.stale += 1;
  } catch (error) {
    // The person has left: a response that is late counts as a wait of the whole visit.
    if (!signal.aborted) throw error;
  }
  // A stream stays open until the person leaves.
  if (!target.startsWith(LIVE_PATH)) waits.all.push(performance.now() - startedAt);
}
