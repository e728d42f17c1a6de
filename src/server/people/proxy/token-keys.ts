import { readFileSync } from 'node:fs';
import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Log, Schedule } from '#server/core/ports.ts';
import type { ProxyTokenSettings } from '#server/core/provider-settings.ts';
import { watchFiles } from '#server/core/watch-files.ts';
import { reasonOf } from '../oidc/provider.ts';

/** The public keys of a proxy, which may change. */
export interface TokenKeys {
  readonly getKey: JWTVerifyGetKey;
  /** Calls the listener after other keys were loaded. What earlier keys verified is then invalid. */
  readonly onChange: (listener: () => void) => void;
  readonly close: () => void;
}

interface Ports {
  readonly schedule: Schedule;
  readonly log: Log;
}

const RELOAD_MS = 5 * 60_000;
const TIMEOUT_MS = 5_000;
/** The shortest interval between look-ups of unknown keys, however many such tokens arrive. */
const COOLDOWN_MS = 10_000;

export function openTokenKeys(keys: ProxyTokenSettings['keys'], ports: Ports): TokenKeys {
  return 'url' in keys ? openRemote(keys.url, ports) : openFile(keys.file, ports);
}

/**
 * Known keys stay in use while the address does not respond. A key that it no longer lists is dropped at the next load.
 */
function openRemote(url: string, { schedule, log }: Ports): TokenKeys {
  const remote = createRemoteJWKSet(new URL(url), {
    cacheMaxAge: Infinity,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
  });
  const { noteKeys, onChange } = createKeyChanges();
  let cancel = (): void => undefined;
  let isOpen = true;
  const reload = async (): Promise<void> => {
    try {
      await remote.reload();
      noteKeys(remote.jwks());
    } catch (error) {
      log('warn', 'keys not loaded', {
        url,
        reason: `${reasonOf(error)}. The previous keys remain in use.`,
      });
    }
    if (isOpen) cancel = schedule(RELOAD_MS, () => void reload());
  };
  void reload();
  return {
    // Looks up unknown keys at the address.
    getKey: (header, token) =>
      remote(header, token).finally(() => {
        noteKeys(remote.jwks());
      }),
    onChange,
    close: () => {
      isOpen = false;
      cancel();
    },
  };
}

function openFile(path: string, { schedule, log }: Ports): TokenKeys {
  let local = readKeys(path);
  const { noteKeys, onChange } = createKeyChanges();
  noteKeys(local.jwks());
  const close = watchFiles(
    () => [path],
    schedule,
    () => {
      try {
        local = readKeys(path);
        noteKeys(local.jwks());
        log('info', 'keys loaded', { file: path });
      } catch (error) {
        log('error', 'keys not loaded', {
          file: path,
          reason: `${error instanceof Error ? error.message : String(error)} The previous keys remain in use.`,
        });
      }
    },
  );
  return { getKey: (header, token) => local(header, token), onChange, close: () => void close() };
}

function createKeyChanges(): Pick<TokenKeys, 'onChange'> & {
  readonly noteKeys: (keys: JSONWebKeySet | undefined) => void;
} {
  const listeners: (() => void)[] = [];
  let known: string | undefined;
  return {
    noteKeys: (keys) => {
      const [before, text] = [known, JSON.stringify(keys)];
      known = text;
      if (before !== undefined && text !== before) for (const listener of listeners) listener();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function readKeys(path: string): ReturnType<typeof createLocalJWKSet> {
  return createLocalJWKSet(JSON.parse(readFileSync(path, 'utf8')) as JSONWebKeySet);
}
