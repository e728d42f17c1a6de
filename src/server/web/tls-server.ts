import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import {
  createSecureServer,
  Http2ServerRequest,
  Http2ServerResponse,
  type Http2SecureServer,
  type SecureServerOptions,
  type ServerHttp2Stream,
} from 'node:http2';
import { toSecureContext, type Certificate } from '#server/core/tls-context.ts';
import { isWhole } from './request-context.ts';

export type TlsServer = Http2SecureServer;

interface TlsServerOptions {
  readonly requestTimeout: number;
  readonly headersTimeout: number;
}

/** Pages of ten tabs use one connection; each of them may have as many requests as an HTTP/1 browser has in ten tabs. */
const MAX_STREAMS = 128;

/** HTTPS, with HTTP/2 for the clients that know it and HTTP/1.1 for the others. */
export function createTlsServer(certificate: Certificate, options: TlsServerOptions): TlsServer {
  const secureOptions: SecureServerOptions = {
    ...options,
    ...toSecureContext(certificate),
    allowHTTP1: true,
    handshakeTimeout: options.headersTimeout,
    settings: { maxConcurrentStreams: MAX_STREAMS },
    Http2ServerResponse: StreamResponse,
  };
  const server = createSecureServer(secureOptions);
  limitRequestTime(server, options.requestTimeout);
  return server;
}

/** As Node does it for HTTP/1: a client that never finishes a request must not hold it open. */
function limitRequestTime(server: Http2SecureServer, requestTimeout: number): void {
  server.on('request', (request: unknown) => {
    if (!(request instanceof Http2ServerRequest) || isWhole(request)) return;
    const { stream } = request;
    const timer = setTimeout(() => {
      if (!isWhole(request)) stream.close();
    }, requestTimeout);
    stream.once('close', () => {
      clearTimeout(timer);
    });
  });
}

/** Headers that speak of a connection, which in HTTP/2 is not theirs to end. */
const OF_CONNECTIONS = new Set(['connection', 'transfer-encoding', 'keep-alive']);

/** Answers like a response of HTTP/1, which handlers are written for. */
class StreamResponse<Request extends Http2ServerRequest> extends Http2ServerResponse<Request> {
  constructor(stream: ServerHttp2Stream) {
    super(stream);
    Object.defineProperty(this, 'destroyed', { get: () => stream.destroyed });
  }

  override writeHead(status: number, ...rest: readonly unknown[]): this {
    const headers = rest.at(-1);
    return super.writeHead(status, withoutConnection(headers) as OutgoingHttpHeaders);
  }
}

function withoutConnection(headers: unknown): unknown {
  if (Array.isArray(headers))
    return (headers as readonly OutgoingHttpHeader[]).filter(
      (_, index) => !OF_CONNECTIONS.has(String(headers[index - (index % 2)]).toLowerCase()),
    );
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !OF_CONNECTIONS.has(name.toLowerCase())));
}
