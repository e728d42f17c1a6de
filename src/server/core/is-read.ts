import type { IncomingMessage } from 'node:http';

/** Whether a request changes nothing. */
export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
