import type { IncomingMessage } from 'node:http';
import { PAGE_PURPOSES, PURPOSE_HEADER } from '#contract/desk.ts';
import type { Purpose } from '../ports.ts';

/** What a page says that its request is for; undefined where it leaves that to the table of endpoints. */
export function pagePurposeOf({ headers }: IncomingMessage): Purpose | undefined {
  return PAGE_PURPOSES.find((purpose) => purpose === headers[PURPOSE_HEADER]);
}
