import { accessSync, constants, lstatSync, readdirSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AuditTarget } from '#server/core/audit-settings.ts';
import { type Check, failed, ok, warning } from './checks.ts';

const OF_OTHERS = 0o077;
const MEGABYTE = 1_000_000;
/** SQLite and the journal soon need this much. */
const TOO_LITTLE_BYTES = 100 * MEGABYTE;
const LITTLE_BYTES = 1_000 * MEGABYTE;

/** Checks who has access to the data folder. Changes nothing. */
export function checkDataFolder(dataDir: string): Check {
  const subject = 'data folder';
  const path = resolve(dataDir);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    const parent = findExisting(dirname(path));
    return isWritable(parent)
      ? ok(subject, `${path} does not exist yet. Perpdesk creates it when it starts.`)
      : failed(subject, `${path} does not exist, and this user may not create it in ${parent}. Set DESK_DATA_DIR.`);
  }
  if (!found.isDirectory()) return failed(subject, `${path} is not a folder. Set DESK_DATA_DIR to one.`);
  const own = process.getuid?.();
  if (own !== undefined && own !== 0 && found.uid !== own)
    return failed(
      subject,
      `${path} belongs to another user (${String(found.uid)}). Run this command as that user, or set DESK_DATA_DIR.`,
    );
  if (!isWritable(path)) return failed(subject, `This user may not write to ${path}. Set DESK_DATA_DIR.`);
  const foreign = readdirSync(path).find((name) => isForeign(lstatSync(join(path, name)), found));
  if (foreign !== undefined)
    return failed(
      subject,
      `${join(path, foreign)} belongs to another user: as root, run "chown ${String(found.uid)} ` +
        `${join(path, foreign)}", or delete it.`,
    );
  return (found.mode & OF_OTHERS) === 0
    ? ok(subject, `Only its owner has access to ${path}.`)
    : warning(
        subject,
        `Other users have access to ${path}. Perpdesk takes it from them when it starts; or run "chmod 700 ${path}".`,
      );
}

/** A folder of root may be that of a mounted disk. */
function isForeign(file: Stats, folder: Stats): boolean {
  return !file.isDirectory() && file.uid !== folder.uid && file.uid !== process.getuid?.();
}

function findExisting(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? findExisting(dirname(path)) : path;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function checkDisk(dataDir: string, freeOf = freeBytesOf): Check {
  const free = freeOf(findExisting(resolve(dataDir)));
  const remark = `${(free / 1_000 / MEGABYTE).toFixed(1)} GB are free on the disk of the data folder`;
  if (free >= LITTLE_BYTES) return ok('disk', `${remark}.`);
  const advice = `${remark}: free some disk space, or set DESK_DATA_DIR to a folder on another disk.`;
  return free < TOO_LITTLE_BYTES ? failed('disk', advice) : warning('disk', advice);
}

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Sign-in fails if the clocks differ by more than this. */
const MOST_OFFSET_MS = 30_000;
const NOTABLE_OFFSET_MS = 5_000;

/** `others`: how far the clocks of other machines are ahead, by their names. */
export function checkClock(others: readonly (readonly [name: string, aheadMs: number])[]): Check {
  const subject = 'clock';
  if (others.length === 0) return ok(subject, 'There is no other machine to compare it with.');
  const [name, aheadMs] = others.reduce((most, one) => (Math.abs(one[1]) > Math.abs(most[1]) ? one : most));
  const remark =
    `This machine’s clock is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ` +
    `that of ${name}`;
  if (Math.abs(aheadMs) <= NOTABLE_OFFSET_MS) return ok(subject, `${remark}.`);
  const advice = `${remark}: synchronise it, for example with NTP.`;
  return Math.abs(aheadMs) > MOST_OFFSET_MS ? failed(subject, advice) : warning(subject, advice);
}

/** Checks that the copy of the audit log can be written. A syslog server does not say whether it listens. */
export function checkAuditTarget(target: AuditTarget): readonly Check[] {
  if (target.kind !== 'file') return [];
  const { path } = target;
  const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return [
    isWritable(exists ? path : dirname(path))
      ? ok('audit log', `Its entries are also written to ${path}.`)
      : failed('audit log', `DESK_AUDIT_LOG is "${path}", which this user may not write: use another file.`),
  ];
}
