import type { Dialect, Read, WritePlan } from '#sql/driver.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import type { Store } from './store.ts';
import { appFiles } from './tables.ts';

/**
 * The files of the app that all desks on a database have, each with the build of its own version: a page of one desk
 * finds its code at any of them, also while they are updated, and for a while afterwards.
 */
export interface SharedFiles {
  /** Finds a file that another desk has, or had. */
  readonly find: (path: string) => Promise<Uint8Array | undefined>;
  readonly close: () => void;
}

interface SharedFilesDeps extends Pick<ServerPorts, 'elapsed' | 'schedule'> {
  readonly store: Store;
}

const DAY_MS = 86_400_000;
/** Longer than a page stays open, after its version has last run. */
const KEPT_MS = 30 * DAY_MS;
/** Anybody may request any name. */
const READ_EVERY_MS = 1_000;

/** Shares the files of this desk, by their path. Their names follow from their content, so that they never change. */
export async function openSharedFiles(
  own: ReadonlyMap<string, Uint8Array>,
  deps: SharedFilesDeps,
): Promise<SharedFiles> {
  const { store, elapsed, schedule } = deps;
  if (!store.isShared) return { find: () => Promise.resolve(undefined), close: () => undefined };
  let names: ReadonlySet<string> = new Set();
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;
  let cancel = (): void => undefined;

  const readNames = async (): Promise<void> => {
    await new Promise<void>((resolve) => schedule(Math.max(0, readAt + READ_EVERY_MS - elapsed()), resolve));
    readAt = elapsed();
    const rows = await store.tryToRead(({ read }) => read(NAMES));
    if (rows !== undefined) names = new Set(rows.map(([name]) => String(name)));
  };
  const keepDaily = async (): Promise<void> => {
    await store.tryToWrite(({ dialect, transact }) => transact(() => planKeeping(own, dialect)));
    cancel = schedule(DAY_MS, () => void keepDaily());
  };
  await keepDaily();
  return {
    find: async (path) => {
      if (!names.has(path))
        await (reading ??= readNames().finally(() => {
          reading = null;
        }));
      if (!names.has(path)) return undefined;
      const rows = await store.tryToRead(({ read }) => read(readBody(path)));
      const body = rows?.[0]?.[0];
      return body instanceof Uint8Array ? body : undefined;
    },
    close: () => {
      cancel();
    },
  };
}

/** Adds the files that the store lacks, and drops those that no desk has had for long. */
function* planKeeping(own: ReadonlyMap<string, Uint8Array>, dialect: Dialect): WritePlan<void> {
  const [time] = yield { name: 'database time', sql: `SELECT ${dialect.now}`, values: [] };
  const now = Number(time?.[0]);
  const known = new Set((yield NAMES).map(([name]) => String(name)));
  const seen = `UPDATE ${appFiles.name} SET seen_at = $1 WHERE ${dialect.isAmong('name', 2, 'text')}`;
  yield { name: 'see files', sql: seen, values: [now, [...own.keys()]] };
  const added = [...own].filter(([name]) => !known.has(name));
  yield { table: appFiles, rows: added.map(([name, body]) => [name, body, now]) };
  const drop = `DELETE FROM ${appFiles.name} WHERE seen_at < $1`;
  yield { name: 'drop files', sql: drop, values: [now - KEPT_MS] };
}

const NAMES: Read = { name: 'names of files', sql: `SELECT name FROM ${appFiles.name}`, values: [] };

function readBody(name: string): Read {
  return { name: 'file', sql: `SELECT body FROM ${appFiles.name} WHERE name = $1`, values: [name] };
}
