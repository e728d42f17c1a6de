import { spawnSync } from 'node:child_process';

/** Settings of the section [Service], each with its values in order. */
export type ServiceSettings = ReadonlyMap<string, readonly string[]>;

/** Reads a unit and its drop-ins as systemd merges them: each line adds a value, and an empty one drops those before. */
export function readService(texts: readonly string[]): ServiceSettings {
  const settings = new Map<string, readonly string[]>();
  for (const text of texts) {
    const [, section = ''] = /^\[Service\]$([^]*?)(?=^\[|$(?![^]))/m.exec(text) ?? [];
    for (const [, name = '', value = ''] of section.matchAll(/^([A-Za-z]+)=(.*)$/gm))
      settings.set(name, value === '' ? [] : [...(settings.get(name) ?? []), value]);
  }
  return settings;
}

/** Returns the words of all lines of a list. */
export function listOf(settings: ServiceSettings, name: string): readonly string[] {
  return (settings.get(name) ?? []).flatMap((value) => value.split(/\s+/));
}

/**
 * Returns the system calls that the service may make, or null if all. A line that begins with `~` forbids what earlier
 * ones allowed, and any other line allows it again.
 */
export function callsOf(settings: ServiceSettings): readonly string[] | null {
  const lines = settings.get('SystemCallFilter');
  if (lines === undefined) return null;
  const allowed = new Set(membersOf('@default'));
  for (const line of lines)
    for (const name of line.replace(/^~/, '').split(/\s+/).flatMap(membersOf))
      if (line.startsWith('~')) allowed.delete(name);
      else allowed.add(name);
  return [...allowed];
}

/** Returns the calls of a set such as `@chown`, with those of the sets in it. */
function membersOf(name: string): readonly string[] {
  if (!name.startsWith('@')) return [name];
  const { stdout, status, stderr } = spawnSync('systemd-analyze', ['syscall-filter', '--no-pager', name], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`systemd-analyze does not list ${name}: ${stderr}`);
  const members = stdout.split('\n').flatMap((line) => /^ +([@\w-]+)$/.exec(line)?.[1] ?? []);
  return members.flatMap(membersOf);
}
