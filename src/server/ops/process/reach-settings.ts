import { ACCESS_MODES, type AccessMode } from '#contract/desk/roles.ts';
import { isLoopback, parseSubnets } from '#server/core/network.ts';
import type { Source } from './source.ts';
import { readTlsPair, type TlsFiles } from './tls-files.ts';

/** How other machines reach the server. */
export interface ReachSettings {
  readonly access: AccessMode;
  /** Origin at which people open Perpdesk; null if only loopback names are served. */
  readonly publicUrl: string | null;
  /** Null for plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Addresses and subnets of the proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
}

export function readReachSettings(source: Source): ReachSettings {
  const access = readAccess(source);
  return {
    access,
    publicUrl: readPublicUrl(source, access),
    tls: readTls(source),
    trustedProxies: readProxies(source),
  };
}

/** The reader of the other access settings reports an unknown mode. */
function readAccess({ value }: Source): AccessMode {
  return ACCESS_MODES.find((mode) => mode === value('DESK_ACCESS')) ?? 'local';
}

const PUBLIC_URL_FORM =
  'must be the address at which people open Perpdesk: https, a host and perhaps a port, without path, ' +
  'such as https://desk.example';

function readPublicUrl({ value, problem }: Source, access: AccessMode): string | null {
  const text = value('DESK_PUBLIC_URL');
  if (text === null) return null;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    return problem(`DESK_PUBLIC_URL ${PUBLIC_URL_FORM}.`);
  const isOwnMachine = isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  if (isOwnMachine) return url.origin;
  if (url.protocol === 'http:')
    return problem(
      'DESK_PUBLIC_URL is an http address, so others on the network path could read orders and take over ' +
        'sessions: use https.',
    );
  if (access === 'local')
    return problem(
      'DESK_PUBLIC_URL needs DESK_ACCESS: without it, everyone who can open that address would see all ' +
        'orders. Set DESK_ACCESS to users, oidc or proxy.',
    );
  return url.origin;
}

function readTls({ value, problem, files }: Source): TlsFiles | null {
  const [cert, key] = [value('DESK_TLS_CERT'), value('DESK_TLS_KEY')];
  if (cert === null && key === null) return null;
  if (cert === null || key === null)
    return problem(
      `${cert === null ? 'DESK_TLS_CERT' : 'DESK_TLS_KEY'} is missing: set DESK_TLS_CERT and DESK_TLS_KEY together.`,
    );
  const pair = readTlsPair({ cert, key }, files);
  return 'problem' in pair ? problem(pair.problem) : { cert, key };
}

function readProxies({ value, problem }: Source): readonly string[] {
  const texts = (value('DESK_TRUSTED_PROXY') ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (parseSubnets(texts) === null)
    problem('DESK_TRUSTED_PROXY must be addresses or subnets, separated by commas, such as 10.0.0.7,10.1.0.0/16.');
  return texts;
}
