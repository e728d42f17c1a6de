import type { Cursor } from '#contract/exchange/paging.ts';
import type { PagePurpose } from '../http-client.ts';
import { toPageAfter } from '../pages.ts';
import { afterLastPage, countNewer, findNewest, NOT_CHECKED, readNewHead, toNewestCursor } from './newer.ts';
import { setMisplacedAside } from './misplaced.ts';
import { reaches, withoutLast, type PageList } from './page-list.ts';
import type { PageSpan, ReadPage } from './page-span.ts';
import type { WindowView } from './page-window.ts';
import type { Direction, RowKey } from './row-key.ts';
import { withIssues } from './validation-issues.ts';
import {
  afterMore,
  afterReload,
  INITIAL_STATE,
  toReadPage,
  type NextRead,
  type PageResponse,
  type WindowRules,
} from './window-state.ts';

interface FetchOptions {
  readonly signal: AbortSignal;
  readonly purpose?: PagePurpose;
}

export interface PageReadParts<Row> extends WindowRules {
  readonly fetchPage: (cursor: Cursor | null, options: FetchOptions) => Promise<PageResponse<Row>>;
}

/** How a read changes the window, whose state may have moved on meanwhile. */
export type Apply<Row> = (view: WindowView<Row>) => Partial<WindowView<Row>>;

interface ReadStore<Row> {
  readonly state: () => WindowView<Row>;
  readonly change: (apply: Apply<Row>) => void;
}

interface PageReads<Row> {
  /** `isAwaited`: a person waits for it, also where it only goes on. */
  readonly run: (next: NextRead, signal: AbortSignal, isAwaited: boolean) => Promise<Apply<Row>>;
  readonly checkForNewer: (signal: AbortSignal, now: () => number) => Promise<Apply<Row>>;
}

/** The reads of a window: each resolves with how it changes the window. */
export function createPageReads<Row extends RowKey>(store: ReadStore<Row>, parts: PageReadParts<Row>): PageReads<Row> {
  const fetchCounted = async (
    cursor: Cursor | null,
    options: FetchOptions,
    previous?: PageSpan<Row>,
  ): Promise<PageResponse<Row>> => {
    store.change((view) => ({ requests: view.requests + 1 }));
    const response = setMisplacedAside(await parts.fetchPage(cursor, options), previous, parts.direction);
    if (response.deviations.length > 0) store.change((view) => withIssues(view, response));
    return response;
  };
  const readMore = async (cursor: Cursor | null, options: FetchOptions): Promise<Apply<Row>> => {
    const response = await fetchCounted(cursor, options, store.state().list.spans.at(-1));
    return (view) => afterMore(view, cursor, response, parts);
  };
  const readLastPage = async (cursor: Cursor | null, options: FetchOptions): Promise<Apply<Row>> => {
    const response = await fetchCounted(cursor, options, withoutLast(store.state().list, cursor).spans.at(-1));
    return (view) => afterLastPage(view, response, parts);
  };
  const readNewer = async (options: FetchOptions): Promise<Apply<Row>> => {
    const newest = toNewestCursor(store.state(), parts.direction);
    const apply =
      newest === null || parts.direction === 'desc'
        ? await readNewHead(
            store.state(),
            (cursor, previous) => fetchCounted(cursor, options, previous),
            parts,
            INITIAL_STATE,
          )
        : await readLastPage(newest.cursor, options);
    return (view) => ({
      ...apply(view),
      wantsNewer: false,
      newer: { ...NOT_CHECKED, checkedAt: view.newer.checkedAt },
    });
  };
  return {
    run: async (next, signal, isAwaited) => {
      const interactive: FetchOptions = { signal, purpose: 'interactive' };
      if (next.kind === 'newer') return readNewer(interactive);
      if (next.kind === 'more')
        return readMore(next.cursor, next.cursor === null || isAwaited ? interactive : { signal });
      const page = await reloadPage(
        store.state().list,
        next.index,
        (cursor) => fetchCounted(cursor, interactive),
        parts.direction,
      );
      return (view) => afterReload(view, next.index, page, parts);
    },
    checkForNewer: async (signal, now) => {
      const newest = toNewestCursor(store.state(), parts.direction);
      if (newest === null) return () => ({ newer: NOT_CHECKED });
      const held = findNewest(store.state().list, parts.direction)?.loaded;
      try {
        const response = await fetchCounted(newest.cursor, { signal, purpose: 'prefetch' });
        // What was read meanwhile is newer than this response.
        return (view) =>
          findNewest(view.list, parts.direction)?.loaded === held
            ? { newer: countNewer(view, response, parts.direction, now()) }
            : {};
      } catch (error) {
        return ({ newer }) => ({ newer: { ...newer, checkedAt: null, error: toError(error) } });
      }
    },
  };
}

/**
 * Reads the rows of a dropped page again. If rows were inserted into its range since, its own rows reach into the next
 * response, so reading goes on until the page’s last row.
 */
async function reloadPage<Row extends RowKey>(
  { spans }: PageList<Row>,
  index: number,
  fetchPage: (cursor: Cursor | null) => Promise<PageResponse<Row>>,
  direction: Direction,
): Promise<ReadPage<Row>> {
  const span = spans[index];
  const sent = [span?.cursor ?? null];
  const rows: Row[] = [];
  for (let cursor = sent[0] ?? null; ;) {
    const response = await fetchPage(cursor);
    const page = toReadPage(cursor, response);
    rows.push(...page.rows);
    const next = toPageAfter(response, sent);
    if (next === null || span === undefined || reaches(page.rows, span, direction)) return { ...page, rows };
    sent.push(next);
    cursor = next;
  }
}

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
