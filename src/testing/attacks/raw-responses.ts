import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One response, as received. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TakenResponse {
  readonly response: RawResponse;
  /** The bytes received after this response. */
  readonly rest: string;
}

/** Parses the first complete response (latin1). Null if more must be received. Throws if it is not HTTP. */
export function takeResponse(received: string, method = 'GET'): TakenResponse | null {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [line = '', ...fields] = received.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? NaN);
  if (Number.isNaN(status)) throw new Error(`not the beginning of a response: ${line.slice(0, 200)}`);
  const headers = toHeaders(fields);
  const bodyAt = end + 4;
  const length = method === 'HEAD' || status === 304 || status < 200 ? 0 : Number(headers['content-length'] ?? NaN);
  if (Number.isNaN(length)) throw new Error(`a response without a length: ${line}`);
  if (received.length < bodyAt + length) return null;
  return {
    response: { status, headers, body: received.slice(bodyAt, bodyAt + length) },
    rest: received.slice(bodyAt + length),
  };
}

/** Sends bytes (latin1) on a new connection and returns every response until the other side ends it. */
export async function sendAndReadAll(address: string, bytes: string, method?: string): Promise<readonly RawResponse[]> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes, 'latin1');
  return takeAllResponses((await buffer(socket)).toString('latin1'), method);
}

/** Throws if anything is left over. */
function takeAllResponses(received: string, method = 'GET'): readonly RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = received;
  while (rest !== '') {
    const taken = takeResponse(rest, method);
    if (taken === null) throw new Error(`an incomplete response: ${rest.slice(0, 200)}`);
    responses.push(taken.response);
    rest = taken.rest;
  }
  return responses;
}

function toHeaders(fields: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(':');
    if (colon < 1 || /[^\x20-\x7e]/.test(field)) throw new Error(`not a header: ${JSON.stringify(field)}`);
    const name = field.slice(0, colon).toLowerCase();
    const value = field.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name] ?? ''}, ${value}` : value;
  }
  return headers;
}
