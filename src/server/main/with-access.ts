import { openAccessRoom, type AccessRoom } from '#server/people/open-access-room.ts';
import { prepareDataFolder } from '#server/ops/process/data-folder.ts';
import { openLinkKey } from '#server/ops/process/link-key.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import type { Settings } from '#server/ops/process/settings.ts';
import { openStore } from '#server/store/open-store.ts';

/** Opening the database would take it over from a running Perpdesk, perhaps on another machine. */
const TAKES_OVER =
  'Perpdesk is not running on this data folder. DESK_DATABASE_URL is set, so this command would take ' +
  'over its database from a Perpdesk that may be running elsewhere. Start Perpdesk here, or run the ' +
  'command where Perpdesk is running.';

/** A command has no requests that could come from anywhere. */
const NO_REQUESTS = { originOf: () => '', homeOf: () => '', addressOf: () => '' };

/** Works on the people and the audit log while Perpdesk is not running. */
export async function withAccess<Result>(
  { server: { dataDir, databaseUrl, access, given } }: Settings,
  work: (room: AccessRoom) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== null) throw new Error(TAKES_OVER);
  prepareDataFolder(dataDir, console.error);
  const ports = createRealPorts('error');
  const report = (event: string, reason: string): void => {
    ports.log('error', event, { reason });
  };
  const store = await openStore({ dataDir, databaseUrl }, { ...ports, report });
  try {
    const room = await openAccessRoom(
      { ...access, mode: 'users', key: openLinkKey(dataDir), provider: null, ...NO_REQUESTS, given },
      { ...ports, store, holdsLease: () => false },
    );
    try {
      return await work(room);
    } finally {
      await room.close();
    }
  } finally {
    await store.close();
  }
}

/** Returns what precedes the path in a link to this Perpdesk; empty if its address is not known. */
export function baseUrlOf({ desk, reach }: Settings): string {
  if (reach.publicUrl !== null) return reach.publicUrl;
  return 'port' in desk && desk.port !== 0 ? `http://localhost:${String(desk.port)}` : '';
}
