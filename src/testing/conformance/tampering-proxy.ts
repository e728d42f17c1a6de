import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ENDPOINTS, type EndpointName } from '#contract/endpoints.ts';
import { matchRoute } from '#contract/routes.ts';
import { signatureHeaders, type Credential } from './probe.ts';

export interface TamperedRequest {
  readonly method: string;
  /** Null: a path of no endpoint. */
  readonly name: EndpointName | null;
  readonly query: URLSearchParams;
}

export interface TamperedResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** How an exchange could be wrong: it understands another question than was asked, or answers wrongly. */
export interface Tampering {
  readonly changeQuery?: (question: TamperedRequest) => URLSearchParams;
  readonly changeResponse?: (answer: TamperedResponse, question: TamperedRequest) => TamperedResponse;
}

export interface TamperingProxy {
  readonly address: string;
  readonly tamper: (tampering: Tampering) => void;
  readonly stop: () => Promise<void>;
}

/** Lets through what only the exchange may refuse. */
const LARGEST_HEADERS = 262_144;

/** Stands before a good exchange and makes it a bad one. What is asked otherwise is signed anew, so that it is believed. */
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
  const question = readQuestion(baseUrl, request, path, rawQuery);
  const asked = changeQuery === undefined ? rawQuery : changeQuery(question).toString().replaceAll('%3A', ':');
  const isSignedAnew = changeQuery !== undefined && question.name !== null && ENDPOINTS[question.name].access === 'signed';
  const headers = isSignedAnew
    ? signatureHeaders(credential, path, asked, new Date().toISOString())
    : ownHeaders(request);
  const target = new URL(baseUrl).origin + path + (asked === '' ? '' : `?${asked}`);
  const got = await fetch(target, { method: question.method, headers });
  const answered = {
    status: got.status,
    type: got.headers.get('content-type') ?? 'text/plain',
    text: await got.text(),
  };
  return changeResponse === undefined ? answered : changeResponse(answered, question);
}

function readQuestion(baseUrl: string, request: IncomingMessage, path: string, rawQuery: string): TamperedRequest {
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
