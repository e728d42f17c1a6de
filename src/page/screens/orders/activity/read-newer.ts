import type { ApiResponse } from '#model/response.ts';
import type { DeskJournalChanges } from '#contract/desk/journal.ts';
import type { Cursor } from '#contract/exchange/paging.ts';

export type ChangesResponse = ApiResponse<DeskJournalChanges>;

/** Beyond so many changes, a list begins anew instead. */
const MOST = 1_000;

interface NewerRequest {
  readonly order: 'asc';
  readonly limit: number;
  readonly cursor?: Cursor;
}

/** Reads on from the newest change of a list, the oldest first: what is left for later is then newer than all that is shown. */
export async function readNewer(
  read: (request: NewerRequest) => Promise<ChangesResponse>,
): Promise<readonly ChangesResponse[]> {
  const pages: ChangesResponse[] = [];
  let count = 0;
  for (let cursor: Cursor | null | undefined; ;) {
    const page = await read({ order: 'asc', limit: MOST, ...(cursor && { cursor }) });
    pages.push(page);
    count += page.value.changes.length;
    cursor = page.value.pagination.cursor;
    // A page may be short, and others follow all the same.
    if (!cursor || count >= MOST) return pages;
  }
}
