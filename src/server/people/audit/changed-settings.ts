import { createHmac } from 'node:crypto';
import type { AuditStore } from './audit-store.ts';
import type { AuditLog } from './audit-log.ts';

/** The settings in force, by name. */
export type GivenSettings = Readonly<Record<string, string>>;

/** Records which settings differ from those of the last start: their names, since values may be secret. */
export async function recordChangedSettings(
  given: GivenSettings,
  key: string,
  store: Pick<AuditStore, 'note' | 'putNote'>,
  audit: Pick<AuditLog, 'record'>,
): Promise<void> {
  const current = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      createHmac('sha256', key).update(`setting\n${name}\n${value}`).digest('hex'),
    ]),
  );
  const before = await store.note('settings');
  const changed = before === null ? [] : findChanged(JSON.parse(before) as GivenSettings, current);
  if (before !== null && changed.length === 0) return;
  await store.putNote('settings', JSON.stringify(current));
  if (changed.length > 0)
    await audit.record({
      kind: 'setting changed',
      who: '',
      name: '',
      address: '',
      detail: `Started with changed settings: ${changed.join(', ')}.`,
    });
}

function findChanged(before: GivenSettings, after: GivenSettings): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .sort();
}
