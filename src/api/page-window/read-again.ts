import type { Cursor } from '#contract/paging.ts';
import { toPageAfter } from '../pages.ts';
import { reaches, type PageList } from './page-list.ts';
import type { ReadPage } from './page-span.ts';
import type { Direction, Place } from './place.ts';
import { toReadPage, type PageAnswer } from './window-state.ts';

/**
 * Reads what a page's rows are to be taken from once more. Rows may have come into its stretch since: then its own reach
 * into the next answer, and stopping short of its last one would lose them.
 */
export async function readAgain<Row extends Place>(
  { spans }: PageList<Row>,
  index: number,
  ask: (cursor: Cursor | null) => Promise<PageAnswer<Row>>,
  direction: Direction,
): Promise<ReadPage<Row>> {
  const span = spans[index];
  const sent = [span?.cursor ?? null];
  const rows: Row[] = [];
  for (let cursor = sent[0] ?? null; ; ) {
    const answer = await ask(cursor);
    const page = toReadPage(cursor, answer);
    rows.push(...page.rows);
    const next = toPageAfter(answer, sent);
    if (next === null || span === undefined || reaches(page.rows, span, direction)) return { ...page, rows };
    sent.push(next);
    cursor = next;
  }
}
