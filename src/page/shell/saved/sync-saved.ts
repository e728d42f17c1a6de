import { ProblemError } from '#page/client/errors.ts';
import type { DeskSaved, SavedItem } from '#contract/desk/saved.ts';
import { NO_RECORD, type SavedAtDesk, type SavedRecord } from '#page/kit/saved-record.ts';
import type { LocalItems } from './local-items.ts';
import { planItem } from './plan-item.ts';

export interface SyncDeps {
  readonly local: LocalItems;
  /** Returns the id of the person who owns this browser's storage; empty where nobody signs in. */
  readonly owner: () => string;
  readonly record: { readonly read: () => SavedRecord; readonly write: (record: SavedRecord) => void };
  readonly readDesk: () => Promise<DeskSaved>;
  readonly putItem: (item: {
    readonly person: string;
    readonly name: string;
    readonly text: string;
    readonly before: number;
  }) => Promise<SavedItem>;
  readonly describe: (error: Error) => string;
}

/** Brings this browser and the server to the same saved items. Resolves to true if they agree. */
export type Sync = () => Promise<boolean>;

/** The delay after a failure. A rejected item is sent again with its next change. */
export const AGAIN_AFTER_SECONDS = 30;
const MOST_ATTEMPTS = 5;

export function createSync(deps: SyncDeps): Sync {
  return async () => {
    try {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) if (await agree(deps)) return true;
      return false;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isAhead(deps))
        note(deps, {
          problem: `${deps.describe(error)} Perpdesk tries again every ${String(AGAIN_AFTER_SECONDS)} seconds.`,
        });
      return false;
    }
  };
}

/** Returns whether this browser has changes that the server lacks. */
export function isAhead({ local, record }: Pick<SyncDeps, 'local' | 'record'>): boolean {
  const { items } = record.read();
  return [...local.names(), ...Object.keys(items)].some((name) => local.read(name) !== (items[name]?.text ?? ''));
}

/** Returns false if the items on the server changed meanwhile. */
async function agree(deps: SyncDeps): Promise<boolean> {
  const { local, owner, record, putItem } = deps;
  const { person, items } = await deps.readDesk();
  // Another person has signed in, and the page is about to reload.
  if (person !== owner()) return true;
  const known = record.read();
  const base = known.person === person ? known.items : {};
  const remote = new Map(items.map(({ name, text, version }) => [name, { text, version }]));
  const names = [...new Set([...local.names(), ...remote.keys()])];
  const plans = names.map((name) => {
    const there = remote.get(name);
    const text = planItem({ name, local: local.read(name), base: base[name], remote: there });
    // Items saved by a later version of Perpdesk are left alone on both sides.
    return {
      name,
      text: text ?? local.read(name),
      there: text === null ? { version: there?.version ?? 0, text: local.read(name) } : (there ?? NEVER),
    };
  });
  for (const { name, text } of plans) if (local.read(name) !== text) local.write(name, text);
  let agreed: SavedRecord['items'] = Object.fromEntries(plans.map(({ name, there }) => [name, there]));
  if (plans.length > 0 || known !== NO_RECORD) note(deps, { person, items: agreed });
  let problem = '';
  for (const { name, text, there } of plans) {
    if (text === there.text) continue;
    const sent = await putItem({ person, name, text, before: there.version }).catch(toRejection);
    if (sent === 'changed-meanwhile') return false;
    if (sent instanceof ProblemError) {
      problem = deps.describe(sent);
      continue;
    }
    agreed = { ...agreed, [name]: { text: sent.text, version: sent.version } };
    note(deps, { items: agreed });
  }
  if (record.read() !== NO_RECORD) note(deps, { problem });
  return true;
}

const NEVER: SavedAtDesk = { version: 0, text: '' };

function note({ record }: Pick<SyncDeps, 'record'>, change: Partial<SavedRecord>): void {
  const before = record.read();
  const next = { ...before, ...change };
  if (JSON.stringify(next) !== JSON.stringify(before)) record.write(next);
}

/**
 * Returns the rejection of one item, which is no reason to skip the others. Rethrows all other failures, which would
 * affect every item.
 */
function toRejection(error: unknown): ProblemError | 'changed-meanwhile' {
  if (!(error instanceof ProblemError)) throw error;
  if (error.type === 'changed-meanwhile') return error.type;
  if (error.type === 'bad-body') return error;
  throw error;
}
