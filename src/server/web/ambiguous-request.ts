import type { IncomingMessage } from 'node:http';
import { Http2ServerRequest } from 'node:http2';

export interface AmbiguousRequest {
  readonly status: number;
  readonly sentence: string;
}

/**
 * Requests that Node's parser accepts although two parsers could frame the same bytes differently (request smuggling).
 * They are rejected, and the connection is closed.
 */
export function findAmbiguity(request: IncomingMessage): AmbiguousRequest | null {
  // HTTP/2 has frames, which its own parser checks. Of HTTP/1, the version is what the client wrote.
  if (request instanceof Http2ServerRequest) return null;
  const { httpVersion, headers } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return { status: 505, sentence: 'Only HTTP/1.1 and HTTP/1.0 are supported.' };
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  // HTTP/1.0 has no chunks: another parser would take them for the next request.
  if (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked')
    return { status: 400, sentence: 'Ambiguous request length.' };
  return null;
}
