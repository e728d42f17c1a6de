import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

export interface RequestOptions {
  readonly method?: string;
  /** The target is sent unchanged, whereas `fetch` would normalise it. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HttpResponse {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends one request on its own connection, with the headers that HTTP requires. */
export function sendRequest(
  address: string,
  { method = 'GET', path = '/', headers = {}, body }: RequestOptions = {},
): Promise<HttpResponse> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, method, path, headers, agent: false }, (response) => {
      buffer(response).then((received) => {
        resolve({ status: response.statusCode, headers: response.headers, body: received });
      }, reject);
    });
    sent.once('error', reject).end(body);
  });
}

/** Sends bytes, which need not be HTTP, and returns everything received until the other side ends the connection. */
export async function sendRaw(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes);
  return text(socket);
}
