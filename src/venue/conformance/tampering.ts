import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type EndpointName, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { matchRoute } from '#contract/exchange/addresses.ts';
import { type Credential, signatureHeaders } from './probe.ts';

interface TamperedRequest {
  readonly method: string;
  /** Null if the path belongs to no endpoint. */
  readonly name: EndpointName | null;
  readonly query: URLSearchParams;
}

export interface TamperedResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** One way to be wrong: the exchange misreads a request or returns a wrong response. */
export interface Tampering {
  readonly changeQuery?: (request: TamperedRequest) => URLSearchParams;
  readonly changeResponse?: (response: TamperedResponse, request: TamperedRequest) => TamperedResponse;
}

export interface TamperingProxy {
  readonly address: string;
  readonly tamper: (tampering: Tampering) => void;
  readonly stop: () => Promise<void>;
}

/** Large enough for oversized headers to be rejected by the exchange rather than by this proxy. */
const LARGEST_HEADERS = 262_144;

/**
 * Starts a proxy that makes a correct exchange look wrong. A changed query is signed again, so that the exchange
 * accepts it.
 */
export async function startTamperingProxy(baseUrl: string, credential: Credential): Promise<TamperingProxy> {
  let current: Tampering = {};
  const server = createServer({ maxHeaderSize: LARGEST_HEADERS }, (request, response) => {
    void forward(baseUrl, credential, current, request).then(({ status, type, text }) => {
      response.writeHead(status, { 'content-type': type, ...(status === 405 && { allow: 'GET, HEAD' }) }).end(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: addressOf(server) + new URL(baseUrl).pathname,
    tamper: (tampering) => {
      current = tampering;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

async function forward(
  baseUrl: string,
  credential: Credential,
  { changeQuery, changeResponse }: Tampering,
  request: IncomingMessage,
): Promise<TamperedResponse> {
  const [path = '', rawQuery = ''] = (request.url ?? '').split('?');
  const tampered = readRequest(baseUrl, request, path, rawQuery);
  const sentQuery = changeQuery === undefined ? rawQuery : changeQuery(tampered).toString().replaceAll('%3A', ':');
  const isSignedAgain =
    changeQuery !== undefined && tampered.name !== null && ENDPOINTS[tampered.name].access === 'signed';
  const headers = isSignedAgain
    ? signatureHeaders(credential, path, sentQuery, new Date().toISOString())
    : ownHeaders(request);
  const target = new URL(baseUrl).origin + path + (sentQuery === '' ? '' : `?${sentQuery}`);
  const received = await fetch(target, { method: tampered.method, headers });
  const original = {
    status: received.status,
    type: received.headers.get('content-type') ?? 'text/plain',
    text: await received.text(),
  };
  return changeResponse === undefined ? original : changeResponse(original, tampered);
}

function readRequest(baseUrl: string, request: IncomingMessage, path: string, rawQuery: string): TamperedRequest {
  const below = path.slice(new URL(baseUrl).pathname.length).replace(/^\/v1(?:\/prod)?/, '');
  return {
    method: request.method ?? 'GET',
    name: matchRoute(below)?.name ?? null,
    query: new URLSearchParams(rawQuery),
  };
}

function ownHeaders(request: IncomingMessage): Record<string, string> {
  const kept = Object.entries(request.headers).filter(([name]) => name.startsWith('btnl-'));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** A way for an exchange to be wrong, and the checks that must detect it, each named by the beginning of its title. */
export interface Defect extends Tampering {
  readonly title: string;
  readonly detectedBy: readonly string[];
}

export type Row = Record<string, unknown>;
type When = (request: TamperedRequest) => boolean;

/** Changes the rows that an endpoint returns. */
export function changeRows(name: EndpointName, change: (rows: Row[]) => Row[], when: When = () => true): Tampering {
  return {
    changeResponse: (response, request) => {
      if (request.name !== name || response.status !== 200 || !when(request)) return response;
      const value = JSON.parse(response.text) as Row | Row[];
      return { ...response, text: JSON.stringify(changeValue(value, change)) };
    },
  };
}

function changeValue(value: Row | Row[], change: (rows: Row[]) => Row[]): unknown {
  if (Array.isArray(value)) return change(value);
  if (Array.isArray(value['data'])) return { ...value, data: change(value['data'] as Row[]) };
  return change([value])[0];
}

export const has =
  (...names: readonly string[]): When =>
  ({ query }) =>
    names.every((name) => query.has(name));
export const lacks =
  (name: string): When =>
  ({ query }) =>
    !query.has(name);
export const is =
  (name: string, value: string): When =>
  ({ query }) =>
    query.get(name) === value;

export const every = (change: (row: Row) => Row) => (all: Row[]) => all.map(change);
export const first = (change: (row: Row) => Row) => (all: Row[]) =>
  all.map((row, index) => (index === 0 ? change(row) : row));
export const twice = (all: Row[]) => all.slice(0, 1).concat(all);
export const reversed = (all: Row[]) => all.toReversed();
export const withoutFirst = (all: Row[]) => all.slice(1);
export const withoutLast = (all: Row[]) => all.slice(0, -1);
/** Repeats each order with new ids. */
export const multiplied = (count: number) => (all: Row[]) =>
  all.flatMap((row) =>
    Array.from({ length: count }, (_, copy) => ({ ...row, id: `${String(row['id'])}${String(100 + copy)}` })),
  );
export const set = (values: Row) => (row: Row) => ({ ...row, ...values });
export const plus = (field: string, amount: number) => (row: Row) =>
  row[field] === null ? row : { ...row, [field]: Number(row[field]) + amount };
export const times = (field: string, factor: number) => (row: Row) =>
  row[field] === null ? row : { ...row, [field]: Number(row[field]) * factor };
/** Scales a price that is text, as prices in charts are. */
export const scalePrice = (field: string, factor: number) => (row: Row) => ({
  ...row,
  [field]: (Number(row[field]) * factor).toFixed(10),
});
export const later = (field: string, hours: number) => (row: Row) => ({
  ...row,
  [field]: new Date(Date.parse(String(row[field])) + hours * 3_600_000).toISOString(),
});
export const ofCandle = (change: (ohlc: Row) => Row) => (row: Row) => ({ ...row, ohlc: change(row['ohlc'] as Row) });

/** Makes the exchange ignore a parameter. */
export function ignoring(parameter: string, name: EndpointName, when: When = () => true): Tampering {
  return {
    changeQuery: (request) => {
      const query = new URLSearchParams(request.query);
      if (request.name === name && when(request)) query.delete(parameter);
      return query;
    },
  };
}

/** Requests one more row than the client did. */
export function oneMore(name: EndpointName, when: When): Tampering {
  return {
    changeQuery: (request) => {
      const query = new URLSearchParams(request.query);
      if (request.name === name && when(request)) query.set('limit', String(Number(query.get('limit')) + 1));
      return query;
    },
  };
}

export function status(name: EndpointName, response: TamperedResponse, when: When = () => true): Tampering {
  return { changeResponse: (good, request) => (request.name === name && when(request) ? response : good) };
}

/** Applies one tampering after the other. */
export function together(...tamperings: readonly Tampering[]): Tampering {
  return {
    changeResponse: (good, request) =>
      tamperings.reduce((response, tampering) => tampering.changeResponse?.(response, request) ?? response, good),
  };
}

export const json = (text: string): TamperedResponse => ({ status: 200, type: 'application/json', text });
