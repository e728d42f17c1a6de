import { ProblemError } from '#page/client/errors.ts';
import type { DeskSaved, SavedItem } from '#contract/desk/saved.ts';
import { NO_RECORD, type SavedAtDesk, type SavedRecord } from '#page/kit/saved/saved-record.ts';
import type { LocalItems } from './local-items.ts';
import { planItem } from './plan-item.ts';

export interface SyncParts {
  readonly local: LocalItems;
  /** Whose this browser’s storage is; empty where nobody signs in. */
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

/** Makes this browser and the desk agree on what the person has saved. True: they do. */
export type Sync = () => Promise<boolean>;

/** After a failure. What is refused is sent again with the next change. */
export const AGAIN_AFTER_SECONDS = 30;
const MOST_ATTEMPTS = 5;

export function createSync(parts: SyncParts): Sync {
  return async () => {
    try {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) if (await agree(parts)) return true;
      return false;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isAhead(parts))
        note(parts, {
          problem: `${parts.describe(error)} Perpdesk tries again every ${String(AGAIN_AFTER_SECONDS)} seconds.`,
        });
      return false;
    }
  };
}

/** Whether this browser has what the desk does not have. */
export function isAhead({ local, record }: Pick<SyncParts, 'local' | 'record'>): boolean {
  const { items } = record.read();
  return [...local.names(), ...Object.keys(items)].some((name) => local.read(name) !== (items[name]?.text ?? ''));
}

/** False: somebody has changed something at the desk meanwhile. */
async function agree(parts: SyncParts): Promise<boolean> {
  const { local, owner, record, putItem } = parts;
  const { person, items } = await parts.readDesk();
  // Somebody else signs in: the page is about to load anew.
  if (person !== owner()) return true;
  const known = record.read();
  const base = known.person === person ? known.items : {};
  const remote = new Map(items.map(({ name, text, version }) => [name, { text, version }]));
  const names = [...new Set([...local.names(), ...remote.keys()])];
  const plans = names.map((name) => {
    const there = remote.get(name);
    const text = planItem({ name, local: local.read(name), base: base[name], remote: there });
    // What a later version of Perpdesk has saved is left alone, here and there.
    return {
      name,
      text: text ?? local.read(name),
      there: text === null ? { version: there?.version ?? 0, text: local.read(name) } : (there ?? NEVER),
    };
  });
  for (const { name, text } of plans) if (local.read(name) !== text) local.write(name, text);
  let agreed: SavedRecord['items'] = Object.fromEntries(plans.map(({ name, there }) => [name, there]));
  if (plans.length > 0 || known !== NO_RECORD) note(parts, { person, items: agreed });
  let problem = '';
  for (const { name, text, there } of plans) {
    if (text === there.text) continue;
    const sent = await putItem({ person, name, text, before: there.version }).catch(toRefusal);
    if (sent === 'changed-meanwhile') return false;
    if (sent instanceof ProblemError) {
      problem = parts.describe(sent);
      continue;
    }
    agreed = { ...agreed, [name]: { text: sent.text, version: sent.version } };
    note(parts, { items: agreed });
  }
  if (record.read() !== NO_RECORD) note(parts, { problem });
  return true;
}

const NEVER: SavedAtDesk = { version: 0, text: '' };

function note({ record }: Pick<SyncParts, 'record'>, change: Partial<SavedRecord>): void {
  const before = record.read();
  const next = { ...before, ...change };
  if (JSON.stringify(next) !== JSON.stringify(before)) record.write(next);
}

/** A refusal of one item is no reason to leave out the others; whatever else fails would fail for them too. */
function toRefusal(error: unknown): ProblemError | 'changed-meanwhile' {
  if (!(error instanceof ProblemError)) throw error;
  if (error.type === 'changed-meanwhile') return error.type;
  if (error.type === 'bad-body') return error;
  throw error;
}
