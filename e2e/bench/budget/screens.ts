import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from '@playwright/test';
import { type Counts, type CountedExchange, difference } from './exchange.ts';

/** A request of a page to its server. */
export interface PageRequest {
  /** Path and query. */
  readonly target: string;
  readonly purpose: string | null;
}

/** What a screen costs, and what its page requests. */
export interface Opened {
  readonly counts: Counts;
  readonly requests: readonly PageRequest[];
}

const QUIET_MS = 1_500;
const LONGEST_MS = 60_000;

/** Opens a screen as by a link, and waits until neither the page nor the server reads any more. */
export async function openScreen(page: Page, exchange: CountedExchange, address: string): Promise<Opened> {
  const before = exchange.counts();
  const requests: PageRequest[] = [];
  let lastAt = performance.now();
  const note = (request: Request): void => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return;
    requests.push({ target: pathname + search, purpose: request.headers()['desk-purpose'] ?? null });
    lastAt = performance.now();
  };
  page.on('request', note);
  await page.goto(address);
  const deadline = performance.now() + LONGEST_MS;
  while (performance.now() < deadline && performance.now() - Math.max(lastAt, exchange.lastAt()) < QUIET_MS)
    await pause(100);
  page.off('request', note);
  return { counts: difference(exchange.counts(), before), requests };
}
