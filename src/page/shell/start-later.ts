import type { QueryClient } from '@tanstack/react-query';
import type { Access } from '#page/client/access.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import type { Live } from '#page/client/live/live.ts';
import { schedule, startLive, whenQuiet } from './live/start-live.ts';
import { startSaved } from './saved/start-saved.ts';

/**
 * Starts the stream and the syncing of saved items, which no first screen needs. `opened` resolves once it is known
 * who uses this page.
 */
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
