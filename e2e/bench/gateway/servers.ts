import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { load, type LoadOptions, type LoadResult } from '../lib/load.ts';
import { serverNodeFlags } from '../../../src/cli/node-flags.mjs';
import { serverEnvironment } from '../lib/gateway-environment.ts';
import { startProgram, type Program } from '../lib/program.ts';
import { artifacts } from '../lib/report.ts';
import { startNginx } from './nginx.ts';

/** The core of the proxy under test. Client and exchange share the other. */
const CORE = 1;
export const OTHER_CORE = 0;

export const PEERS = ['reply-from', 'http-proxy-middleware', 'signing-loop'] as const;
export type ProxyName = 'gateway' | (typeof PEERS)[number] | 'nginx';

const READY = /ready at (http:\S+)/;
const folder = join(artifacts, 'gateway');

export function startUpstream(): Promise<Program> {
  return startProgram({ args: [join(import.meta.dirname, 'upstream.ts')], ready: READY, core: OTHER_CORE });
}

/** Starts Perpdesk in front of an exchange, without a budget, so that nothing limits the load. */
export function startServer(upstream: URL): Promise<Program> {
  return startProgram({
    args: [...serverNodeFlags, join('src', 'server', 'main', 'main.ts')],
    ready: READY,
    core: CORE,
    environment: { DESK_VENUE: 'bitnomial', ...serverEnvironment(upstream.origin, folder) },
  });
}

export async function startProxy(name: ProxyName, upstream: URL): Promise<Program | null> {
  if (name === 'gateway') return startServer(upstream);
  if (name === 'nginx') return startNginx(upstream, CORE);
  const args = [join(import.meta.dirname, 'peers', `${name}.ts`), upstream.origin];
  return startProgram({ args, ready: READY, core: CORE, environment: { NODE_ENV: 'production' } });
}

/** A proxy under load, in total and for one request. */
export interface ProxyLoad extends LoadResult {
  readonly cpuMsEach: number;
  /** Requests per second of a core that does nothing else. */
  readonly perCoreSecond: number;
}

export async function loadProxy(proxy: Program, options: Omit<LoadOptions, 'address'>): Promise<ProxyLoad> {
  const before = proxy.cpuMs();
  const result = await load({ address: proxy.address, ...options });
  const cpuMsEach = (proxy.cpuMs() - before) / result.requests;
  return { ...result, cpuMsEach, perCoreSecond: 1000 / cpuMsEach };
}

export interface ReadResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export async function readOnce(
  proxy: Program,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ReadResponse> {
  const { hostname, port } = proxy.address;
  const [response] = (await once(get({ hostname, port, path, headers, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

let paths = 0;

/** Returns a new path each time. */
export function nextPath(path: string): string {
  paths += 1;
  return `${path}?account_id=ACCT-${String(paths)}`;
}
