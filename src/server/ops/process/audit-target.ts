import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { AuditTarget } from '#server/core/audit-settings.ts';
import type { Source } from './source.ts';

const SYSLOG_PORT = 514;

export function readAuditTarget({ value, problem }: Source, dataDir: string): AuditTarget | null {
  const text = value('DESK_AUDIT_LOG');
  if (text === null) return null;
  if (text === 'stderr') return { kind: 'stderr' };
  if (isAbsolute(text)) {
    const mistake = findMistake(text, dataDir);
    return mistake === null ? { kind: 'file', path: text } : problem(`DESK_AUDIT_LOG is "${text}", which ${mistake}.`);
  }
  const url = URL.parse(text);
  if (url?.protocol === 'syslog:' && url.hostname !== '' && /^syslog:\/\/[^/?#@]+$/.test(text)) {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return { kind: 'syslog', host, port: url.port === '' ? SYSLOG_PORT : Number(url.port) };
  }
  return problem(
    `DESK_AUDIT_LOG is "${text}", but must be stderr, the absolute path of a file, or the address of a syslog ` +
      'server, such as syslog://127.0.0.1:514.',
  );
}

/** Lines appended to the store or a key would destroy it, and a pipe that nobody reads takes none. */
function findMistake(path: string, dataDir: string): string | null {
  if (isOther(path)) return 'is not a regular file';
  return isBelow(toReal(resolve(dataDir)), toReal(resolve(path)))
    ? 'is in the data folder: name a file elsewhere'
    : null;
}

/** Says nothing of a file that this user cannot reach: the doctor and the first entry do. */
function isOther(path: string): boolean {
  try {
    return !lstatSync(path).isFile();
  } catch {
    return false;
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Follows links as far as the path exists. */
function toReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(toReal(parent), basename(path));
  }
}
