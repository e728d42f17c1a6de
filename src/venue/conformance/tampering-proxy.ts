import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { matchRoute } from '#contract/exchange/routes.ts';
import { signatureHeaders, type Credential } from './probe.ts';

export interface TamperedRequest {
  readonly method: string;
  /** Null where the path is of no endpoint. */
  readonly name: EndpointName | null;
  readonly query: URLSearchParams;
}

export interface TamperedResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A way to be wrong: the exchange misreads a request, or returns a wrong response. */
export interface Tampering {
  readonly changeQuery?: (request: TamperedRequest) => URLSearchParams;
  readonly changeResponse?: (response: TamperedResponse, request: TamperedRequest) => TamperedResponse;
}

export interface TamperingProxy {
  readonly address: string;
  readonly tamper: (tampering: Tampering) => void;
  readonly stop: () => Promise<void>;
}

/** Large enough that the exchange, and not this proxy, refuses headers. */
const LARGEST_HEADERS = 262_144;

/** Makes a correct exchange look wrong. A changed query is signed again, so that the exchange accepts it. */
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
