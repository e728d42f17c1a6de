/** The parts of the peers that are used here, so that types can be checked before a first benchmark run installs them. */

interface ForwardOptions {
  readonly rewriteRequestHeaders: (
    request: unknown,
    headers: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>;
}

declare module 'fastify' {
  interface Fastify {
    readonly register: (plugin: unknown, options: unknown) => void;
    readonly get: (
      path: string,
      handle: (
        request: { readonly raw: { readonly url: string } },
        reply: { readonly from: (url: string, options: ForwardOptions) => void },
      ) => void,
    ) => void;
    readonly listen: (options: { readonly port: number; readonly host: string }) => Promise<string>;
  }
  const fastify: () => Fastify;
  export { fastify as default };
}

declare module '@fastify/reply-from' {
  const plugin: unknown;
  export { plugin as default };
}

declare module 'http-proxy-middleware' {
  import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
  export function createProxyMiddleware(options: {
    readonly target: string;
    readonly changeOrigin: boolean;
    readonly agent: unknown;
    readonly on: { readonly proxyReq: (outgoing: ClientRequest, request: IncomingMessage) => void };
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}
