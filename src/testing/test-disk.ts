import { DatabaseSync } from 'node:sqlite';
import { createDisk, type Disk } from '#gateway/disk.ts';

/** A database in memory, whose failures are not reported. */
export function openTestDisk(): Disk {
  return createDisk(new DatabaseSync(':memory:'), { elapsed: () => 0, report: () => undefined });
}

/** From now on every write fails, as on a disk that the system made read-only after a fault. */
export function stopWrites({ database }: Pick<Disk, 'database'>): void {
  database.exec('pragma query_only = 1');
}

export function allowWrites({ database }: Pick<Disk, 'database'>): void {
  database.exec('pragma query_only = 0');
}
