import { ALONE } from '#server/people/audit/starts.ts';
import { type AccessConfig, openAccessRoom, type AccessRoom } from '#server/people/open-access-room.ts';
import { prepareDataFolder, requireStoreFile } from '#server/ops/process/data-folder.ts';
import { openLinkKey } from '#server/ops/process/link-key.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import type { Settings, SettingsOrProblems } from '#server/ops/process/settings.ts';
import { openStore } from '#server/store/open-store.ts';

/** Others may be running on the database, perhaps of an earlier version, whose tables opening it would change. */
const NOT_RUNNING =
  'Perpdesk is not running on this data folder. DESK_DATABASE_URL is set, so others may be running on its database ' +
  'elsewhere. Start Perpdesk here, or run the command where Perpdesk is running.';

/** A command has no requests that could come from anywhere. */
const NO_REQUESTS = { originOf: () => '', homeOf: () => '', addressOf: () => '' };

/** Works on the people and the audit log while Perpdesk is not running. */
export async function withAccess<Result>(
  { settings, problems }: SettingsOrProblems,
  work: (room: AccessRoom, settings: Settings) => Promise<Result>,
): Promise<Result> {
  if (problems !== null) throw new Error(problems.join('\n'));
  const { dataDir, databaseUrl, access, auditing, given } = settings.server;
  if (databaseUrl !== null) throw new Error(NOT_RUNNING);
  requireStoreFile(dataDir);
  prepareDataFolder(dataDir, console.error);
  return withAccessOf(dataDir, { ...access, auditing, given }, (room) => work(room, settings));
}

/** Works on the people of a data folder. */
export async function withAccessOf<Result>(
  dataDir: string,
  config: Pick<AccessConfig, 'sessionHours' | 'idleHours' | 'auditing' | 'given'>,
  work: (room: AccessRoom) => Promise<Result>,
): Promise<Result> {
  const ports = createRealPorts('error');
  const report = (event: string, reason: string): void => {
    ports.log('error', event, { reason });
  };
  const store = await openStore({ dataDir, databaseUrl: null }, { ...ports, report });
  try {
    const room = await openAccessRoom(
      { ...config, mode: 'users', key: openLinkKey(dataDir), provider: null, ...NO_REQUESTS },
      { ...ports, store, holdsLease: () => false, ...ALONE },
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
