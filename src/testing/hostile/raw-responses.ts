import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One answer as it was on the wire. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; what is there twice is joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TakenResponse {
  readonly answer: RawResponse;
  /** What came after it. */
  readonly rest: string;
}

/** The first whole answer in what came (latin1), or null where there is more to come. Throws where it is no HTTP. */
export function takeResponse(received: string, method = 'GET'): TakenResponse | null {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [line = '', ...fields] = received.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? NaN);
  if (Number.isNaN(status)) throw new Error(`not the beginning of an answer: ${line.slice(0, 200)}`);
  const headers = toHeaders(fields);
  const bodyAt = end + 4;
  const length = method === 'HEAD' || status === 304 || status < 200 ? 0 : Number(headers['content-length'] ?? NaN);
  if (Number.isNaN(length)) throw new Error(`an answer without a length: ${line}`);
  if (received.length < bodyAt + length) return null;
  return { answer: { status, headers, body: received.slice(bodyAt, bodyAt + length) }, rest: received.slice(bodyAt + length) };
}

/** Sends bytes (latin1) on a connection of their own; gives every answer until the other side ends it. */
export async function sendAndReadAll(address: string, bytes: string, method?: string): Promise<readonly RawResponse[]> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes, 'latin1');
  return takeAllResponses((await buffer(socket)).toString('latin1'), method);
}

/** Nothing may be left over. */
function takeAllResponses(received: string, method = 'GET'): readonly RawResponse[] {
  const answers: RawResponse[] = [];
  let rest = received;
  while (rest !== '') {
    const taken = takeResponse(rest, method);
    if (taken === null) throw new Error(`an answer that does not end: ${rest.slice(0, 200)}`);
    answers.push(taken.answer);
    rest = taken.rest;
  }
  return answers;
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
