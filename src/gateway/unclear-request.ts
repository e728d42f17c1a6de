import type { IncomingMessage } from 'node:http';

export interface Unclear {
  readonly status: number;
  readonly sentence: string;
}

/**
 * What the parser lets through to the handler although two readers of the same bytes could differ about them. Such a
 * request is answered with a refusal, whatever it asks for, and is the last on its connection.
 */
export function findUnclear({ httpVersion, headers }: Pick<IncomingMessage, 'httpVersion' | 'headers'>): Unclear | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return { status: 505, sentence: 'Only HTTP/1.1 and HTTP/1.0 are spoken here.' };
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  // Before 1.1 there were no chunks: another reader would see their bytes as the next request.
  if (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked') return { status: 400, sentence: 'Where this request ends cannot be told.' };
  return null;
}
