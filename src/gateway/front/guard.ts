import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '../ports.ts';
import { isCrossSite } from './origin-guard.ts';

const LONGEST_TARGET = 8_192;

/** What is refused whatever is asked for. */
export function guard({ method, url = '', headers }: IncomingMessage): Problem | null {
  if (method !== 'GET' && method !== 'HEAD') return { type: 'method-not-allowed', detail: 'The interface only reads: use GET or HEAD.' };
  if (isCrossSite(headers)) return { type: 'cross-site', detail: 'Only pages of this origin may ask.' };
  if (url.length > LONGEST_TARGET) return { type: 'address-too-long', detail: `Path and query may have ${String(LONGEST_TARGET)} characters.` };
  return null;
}

/** Aborts when the client has gone before its answer went out. */
export function whenGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    // Its end is heard of, too; to abort then costs much and tells nobody anything.
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
