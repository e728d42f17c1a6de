import { createServer } from 'node:http';
import { startVenue } from '../../../src/venue/conformance/run-conformance.ts';
import { forward } from '../lib/forward.ts';
import { listen } from '../lib/listen.ts';

/** What a request to the exchange is about, the most specific first. */
export const KINDS = ['one product', 'all products', 'predicted rate', 'settled rates', 'orders'] as const;
export type Kind = (typeof KINDS)[number];
export type Counts = Readonly<Record<Kind, number>>;

const RULES: readonly (readonly [Kind, RegExp])[] = [
  ['orders', /\/orders/],
  ['predicted rate', /\/funding-rates\/estimated\//],
  ['settled rates', /\/funding-rates\/\?.*begin_time=/],
  ['one product', /product_id=|\/(?:price|trailing|data|spec)\/\d+/],
];

export interface CountedExchange extends AsyncDisposable {
  /** The address of the exchange for a server. */
  readonly address: string;
  readonly counts: () => Counts;
  /** By `performance.now`. */
  readonly lastAt: () => number;
}

/** Starts the reference exchange behind a listener that counts what reaches it. It has the given budget, or none. */
export async function startExchange(budget: string): Promise<CountedExchange> {
  const venue = await startVenue(['--history-days', '730', '--live', 'on', '--budget', budget]);
  const counted = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]));
  let lastAt = performance.now();
  const listener = await listen(
    createServer((request, response) => {
      const kind = kindOf(request.url ?? '');
      counted.set(kind, (counted.get(kind) ?? 0) + 1);
      lastAt = performance.now();
      void forward(venue.address, request).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        () => response.destroy(),
      );
    }),
  );
  return {
    address: new URL(new URL(venue.address).pathname, listener.address).href.replace(/\/$/, ''),
    counts: () => Object.fromEntries(counted) as Counts,
    lastAt: () => lastAt,
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]();
      await venue.stop();
    },
  };
}

function kindOf(url: string): Kind {
  return RULES.find(([, rule]) => rule.test(url))?.[0] ?? 'all products';
}

export function difference(after: Counts, before: Counts): Counts {
  return Object.fromEntries(KINDS.map((kind) => [kind, after[kind] - before[kind]])) as Counts;
}

export function sum(counts: Counts): number {
  return KINDS.reduce((total, kind) => total + counts[kind], 0);
}
