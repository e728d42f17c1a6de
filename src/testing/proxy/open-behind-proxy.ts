import { join } from 'node:path';
import type { DeskMe } from '#contract/desk/access.ts';
import { AUDIENCE, ISSUER } from './auth-server.ts';
import { newFolder, openProvidedDesk, type ProvidedDesk } from './open-provided-desk.ts';

/** Opens a server on a Unix socket whose proxy names people in headers. */
export async function openBehindSocket(): Promise<ProvidedDesk> {
  const folder = newFolder();
  return openProvidedDesk(
    {
      DESK_ACCESS: 'proxy',
      DESK_SOCKET: join(folder, 'desk.sock'),
      DESK_PROXY_USER_HEADER: 'Remote-User',
      DESK_PROXY_GROUPS_HEADER: 'Remote-Groups',
    },
    folder,
  );
}

/** Opens a server on a port whose proxy signs tokens with the keys at an address or in a file. */
export function openWithTokens(keys: string): Promise<ProvidedDesk> {
  return openProvidedDesk({
    DESK_ACCESS: 'proxy',
    DESK_PORT: '0',
    DESK_PROXY_JWT_HEADER: 'Proxy-Token',
    DESK_PROXY_JWT_ISSUER: ISSUER,
    DESK_PROXY_JWT_AUDIENCE: AUDIENCE,
    DESK_PROXY_JWT_KEYS: keys,
  });
}

export const ME = '/api/desk/me';

export function meOf(body: Buffer | string): DeskMe['me'] {
  return (JSON.parse(body.toString()) as DeskMe).me;
}
