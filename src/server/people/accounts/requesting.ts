import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Viewer } from '#server/core/viewer.ts';

/** What the actions of this room need to know of a request. */
export interface Requesting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly viewer: Viewer;
}

/** The network address that a request comes from. */
export type AddressOf = (request: IncomingMessage) => string;

/** The origin of the pages that a request belongs to. */
export type OriginOf = (request: IncomingMessage) => string;

/** What an action is done with. */
export interface Input<Body> {
  readonly body: Body;
  readonly query: Readonly<Record<string, string>>;
  readonly context: Requesting;
}
