import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { cutRows, fieldOf } from '#contract/parse/row-texts.ts';

/** A response to a request for all working orders. */
export interface ReadBook {
  readonly at: number;
  /** By ID, as written. */
  readonly rows: ReadonlyMap<string, string>;
}

/** The way to the exchange, which counts requests as they arrive, and keeps the books that it has given. */
export interface CountingExchange {
  readonly address: string;
  readonly requests: () => number;
  readonly books: () => readonly ReadBook[];
  /** The most requests within any window of this length. */
  readonly mostWithin: (seconds: number) => number;
  readonly close: () => Promise<void>;
}

const KEPT_BOOKS = 200;

export async function openCountingExchange(venue: string): Promise<CountingExchange> {
  const arrivals: number[] = [];
  const books: ReadBook[] = [];
  const server = createServer((request, response) => {
    arrivals.push(performance.now());
    const upstream = send(
      new URL(request.url ?? '', venue),
      {
        method: request.method,
        headers: { ...request.headers, 'host': new URL(venue).host, 'accept-encoding': 'identity' },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
        if (/\/orders\/working\/?$/.test(request.url ?? '') && answer.statusCode === 200)
          void buffer(answer).then((body) => {
            books.push({ at: Date.now(), rows: toRows(body.toString()) });
            books.splice(0, books.length - KEPT_BOOKS);
          });
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { pathname } = new URL(venue);
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${pathname}`,
    requests: () => arrivals.length,
    books: () => books,
    mostWithin: (seconds) => {
      let [most, from] = [0, 0];
      for (const [to, at] of arrivals.entries()) {
        while ((arrivals[from] ?? 0) <= at - seconds * 1_000) from += 1;
        most = Math.max(most, to - from + 1);
      }
      return most;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns the rows of a list by their IDs, as written: a number would lose digits of some. */
export function toRows(list: string): ReadonlyMap<string, string> {
  const inside = list.trim().slice(1, -1);
  return new Map(inside === '' ? [] : Array.from(cutRows(inside), (row) => [fieldOf(row, 'id') ?? '', row]));
}
