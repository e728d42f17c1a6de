import type { QueryClient } from '@tanstack/react-query';
import type { Access } from '#page/client/access.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import type { Live } from '#page/client/live/live.ts';
import { schedule, startLive } from './live/start-live.ts';
import { whenQuiet } from './live/when-quiet.ts';
import { startSaved } from './saved/start-saved.ts';

/** What no first screen waits for. `opened`: once it is known who uses this page. */
export async function startLater(
  live: Live,
  http: HttpClient,
  access: Access,
  client: QueryClient,
  opened: Promise<void>,
): Promise<void> {
  startLive(live, client, access).catch(() => undefined);
  await Promise.all([whenQuiet(client, schedule), opened]);
  startSaved(access, http);
}
