import { createHmac } from 'node:crypto';
import type { AuditStore } from './audit-store.ts';
import type { AuditLog } from './audit-log.ts';
import { UNCLEAN_STOP } from '#contract/desk/audit-chain.ts';

/** The settings in force, by name. */
export type GivenSettings = Readonly<Record<string, string>>;

/** Records which settings have changed since the last start, by name only, since values may be secret. */
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

interface RunsDeps {
  readonly store: Pick<AuditStore, 'note' | 'putNote'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly now: () => number;
}

/**
 * Marks in the store that a run has begun, until it ends. A remaining mark shows that the previous run did not end
 * cleanly.
 */
interface Runs {
  /** Records the start. */
  readonly begin: (version: string) => Promise<void>;
  /** Must be called once all entries are stored. */
  readonly end: () => Promise<void>;
}

const ENDED = '';

export function createRuns({ store, audit, now }: RunsDeps): Runs {
  let own: string | null = null;
  return {
    begin: async (version) => {
      const before = (await store.note('run')) ?? ENDED;
      own = new Date(now()).toISOString();
      await store.putNote('run', own);
      const started = `Started, version ${version}`;
      const noOne = { who: '', name: '', address: '' };
      if (before === ENDED) await audit.record({ kind: 'started', ...noOne, detail: `${started}.` });
      else
        await audit.record({
          kind: UNCLEAN_STOP,
          ...noOne,
          detail: `${started}; the previous run did not end cleanly: up to a minute of repeated reads may be missing.`,
        });
    },
    // A server that has taken over the store keeps its own mark. A mark that cannot be removed says that entries may be
    // missing.
    end: async () => {
      try {
        if (own !== null && (await store.note('run')) === own) await store.putNote('run', ENDED);
      } catch {
        return;
      }
    },
  };
}
