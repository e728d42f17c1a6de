import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Viewer } from '#server/core/viewer.ts';

/** The request behind an action. */
export interface Requesting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly viewer: Viewer;
}

/** Returns the network address that a request comes from. */
export type AddressOf = (request: IncomingMessage) => string;

/** Returns the origin of the pages that a request belongs to. */
export type OriginOf = (request: IncomingMessage) => string;

/** The input of an action. */
export interface Input<Body> {
  readonly body: Body;
  readonly query: Readonly<Record<string, string>>;
  readonly context: Requesting;
}
