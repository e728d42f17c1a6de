import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers one request. It may throw or reject: the desk then answers for it and reports why. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined;
