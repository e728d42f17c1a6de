import type { DeskCalls } from '#page/client/create-api.ts';
import { checkChain, findAdded, type ChainResult } from '#contract/desk/audit-chain.ts';
import type { ACCESS_ENDPOINTS, AuditEnds, AuditEntry, DeskAudit } from '#contract/desk/access.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { sha256, toChained } from './audit-lines.ts';

const LARGEST_PAGE = 1_000;

/** All entries of one moment, the oldest first. */
export interface WholeLog extends AuditEnds, Pick<ChainResult, 'problem' | 'uncleanStops'> {
  readonly entries: readonly AuditEntry[];
}

/** Reads the whole log, the newest entries first, and follows its chain as `perpdesk audit check` does. */
export async function readLog(
  { audit }: Pick<DeskCalls<typeof ACCESS_ENDPOINTS>, 'audit'>,
  onRead: (count: number) => void,
): Promise<WholeLog> {
  const { value: newest } = await audit({ limit: LARGEST_PAGE });
  const found = [...newest.entries];
  onRead(found.length);
  let oldest: DeskAudit = newest;
  for (let cursor = cursorOf(oldest); cursor !== null; cursor = cursorOf(oldest)) {
    oldest = (await audit({ limit: LARGEST_PAGE, cursor })).value;
    found.push(...oldest.entries);
    onRead(found.length);
  }
  // What was written since the first page, or dropped before the last one, is left out.
  const { head } = newest;
  const { anchor } = oldest;
  const entries = found.filter(({ number }) => number > anchor.number && number <= head.number).toReversed();
  const { problem, uncleanStops } = await checkChain({ anchor, head }, entries.map(toChained), sha256);
  return { anchor, head, entries, problem: problem ?? (await findAddition(newest)), uncleanStops };

  async function findAddition({ entries: [last] }: DeskAudit): Promise<string | null> {
    return last === undefined || last.number <= head.number
      ? null
      : findAdded(last, (await audit({ limit: 1 })).value.head);
  }
}

function cursorOf({ pagination: { cursor } }: DeskAudit): Cursor | null {
  return cursor === undefined || cursor === '' ? null : cursor;
}
