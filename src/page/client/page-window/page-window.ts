import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import {
  afterLastPage,
  countNewer,
  findNewest,
  type NewerRows,
  NOT_CHECKED,
  readNewHead,
  toNewestCursor,
} from './newer.ts';
import {
  afterMore,
  afterReload,
  evictPages,
  INITIAL_STATE,
  isNear,
  type NextRead,
  type PageResponse,
  toNextRead,
  toReadPage,
  type Viewport,
  type WindowRules,
  type WindowState,
  withGoal,
  withIssues,
} from './window-state.ts';
import { describeValue, type Deviation } from '#contract/parse/check.ts';
import { InvalidResponseError } from '../errors.ts';
import {
  type Direction,
  type PageList,
  type PageSpan,
  reaches,
  type ReadPage,
  rowAt,
  type RowKey,
  withoutLast,
  withoutRepeats,
} from './page-list.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { PagePurpose } from '../http-client.ts';
import { toPageAfter } from '../pages.ts';

/** A snapshot of the window; every change creates a new object. */
export interface WindowView<Row> extends WindowState<Row> {
  /** The read in progress. */
  readonly reading: NextRead['kind'] | null;
  readonly newer: NewerRows;
}

/** A list that is read page by page and keeps only some pages in memory. */
export interface PageWindow<Row> {
  readonly read: () => WindowView<Row>;
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns undefined if the row is not in memory; `setViewport` reads it. */
  readonly rowAt: (row: number) => Row | undefined;
  readonly setViewport: (viewport: Viewport) => void;
  /** Repeats the read that failed. `isAwaited`: a person is waiting for it. */
  readonly retry: (isAwaited?: boolean) => void;
  /** Checks for newer rows without changing the list. */
  readonly checkForNewer: () => Promise<void>;
  /** Adds newer rows once the current read ends. If that fails, `retry` tries again. */
  readonly loadNewer: () => void;
  /** Reads pages until an instant is reached; null stops reading. */
  readonly loadUntil: (until: Instant | null) => void;
  readonly close: () => void;
}

/**
 * Sets aside rows that belong before the end of the previous page, because they would appear out of order. Rejects a
 * page that has only such rows, since the pages after it cannot be in order either.
 */
function setMisplacedAside<Row extends RowKey>(
  response: PageResponse<Row>,
  previous: PageSpan<Row> | undefined,
  direction: Direction,
): PageResponse<Row> {
  if (previous === undefined) return response;
  const { data } = response.value;
  const fresh = withoutRepeats(data, previous);
  const misplaced = new Set(fresh.filter((row) => precedes(row, previous.last, direction)));
  if (misplaced.size === 0) return response;
  const setAside = [...data.entries()].flatMap(([index, row]) =>
    misplaced.has(row) ? [{ index, row, deviations: [toDeviation(row, index, previous.last, direction)] }] : [],
  );
  const first = setAside.flatMap(({ deviations }) => deviations).slice(0, 1);
  const deviations = first.map((deviation) => ({ ...deviation, place: '$.data[].time', count: misplaced.size }));
  if (misplaced.size === fresh.length) throw new InvalidResponseError(deviations, JSON.stringify(data));
  return {
    ...response,
    value: { ...response.value, data: data.filter((row) => !misplaced.has(row)) },
    setAside: [...response.setAside, ...setAside],
    deviations: [...response.deviations, ...deviations],
  };
}

function precedes({ time }: RowKey, last: RowKey, direction: Direction): boolean {
  const order = compareInstants(time, last.time);
  return direction === 'asc' ? order < 0 : order > 0;
}

function toDeviation({ time }: RowKey, index: number, last: RowKey, direction: Direction): Deviation {
  const expected = `${last.time} or ${direction === 'asc' ? 'later' : 'earlier'}, as on the page before`;
  return { kind: 'out of order', path: `$.data[${String(index)}].time`, expected, found: describeValue(time) };
}

interface FetchOptions {
  readonly signal: AbortSignal;
  readonly purpose?: PagePurpose;
}

interface PageReadDeps<Row> extends WindowRules {
  readonly fetchPage: (cursor: Cursor | null, options: FetchOptions) => Promise<PageResponse<Row>>;
}

/** Returns how a read changes the window, whose state may have moved on in the meantime. */
type Apply<Row> = (view: WindowView<Row>) => Partial<WindowView<Row>>;

interface ReadStore<Row> {
  readonly state: () => WindowView<Row>;
  readonly change: (apply: Apply<Row>) => void;
}

interface PageReads<Row> {
  /** `isAwaited`: a person is waiting, even though the read only continues the list. */
  readonly run: (next: NextRead, signal: AbortSignal, isAwaited: boolean) => Promise<Apply<Row>>;
  readonly checkForNewer: (signal: AbortSignal, now: () => number) => Promise<Apply<Row>>;
}

/** Creates the reads of a window. Each resolves with a function that changes the window's state. */
function createPageReads<Row extends RowKey>(store: ReadStore<Row>, deps: PageReadDeps<Row>): PageReads<Row> {
  const fetchCounted = async (
    cursor: Cursor | null,
    options: FetchOptions,
    previous?: PageSpan<Row>,
  ): Promise<PageResponse<Row>> => {
    store.change((view) => ({ requests: view.requests + 1 }));
    const response = setMisplacedAside(await deps.fetchPage(cursor, options), previous, deps.direction);
    if (response.deviations.length > 0) store.change((view) => withIssues(view, response));
    return response;
  };
  const readMore = async (cursor: Cursor | null, options: FetchOptions): Promise<Apply<Row>> => {
    const response = await fetchCounted(cursor, options, store.state().list.spans.at(-1));
    return (view) => afterMore(view, cursor, response, deps);
  };
  const readLastPage = async (cursor: Cursor | null, options: FetchOptions): Promise<Apply<Row>> => {
    const response = await fetchCounted(cursor, options, withoutLast(store.state().list, cursor).spans.at(-1));
    return (view) => afterLastPage(view, response, deps);
  };
  const readNewer = async (options: FetchOptions): Promise<Apply<Row>> => {
    const newest = toNewestCursor(store.state(), deps.direction);
    const apply =
      newest === null || deps.direction === 'desc'
        ? await readNewHead(
            store.state(),
            (cursor, previous) => fetchCounted(cursor, options, previous),
            deps,
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
        deps.direction,
      );
      return (view) => afterReload(view, next.index, page, deps);
    },
    checkForNewer: async (signal, now) => {
      const newest = toNewestCursor(store.state(), deps.direction);
      if (newest === null) return () => ({ newer: NOT_CHECKED });
      const held = findNewest(store.state().list, deps.direction)?.loaded;
      try {
        const response = await fetchCounted(newest.cursor, { signal, purpose: 'prefetch' });
        // If the newest page was read again in the meantime, it is newer than this response.
        return (view) =>
          findNewest(view.list, deps.direction)?.loaded === held
            ? { newer: countNewer(view, response, deps.direction, now()) }
            : {};
      } catch (error) {
        return ({ newer }) => ({ newer: { ...newer, checkedAt: null, error: toError(error) } });
      }
    },
  };
}

/**
 * Reads the rows of a dropped page again. Inserted rows can push the page's own rows into the next response, so reading
 * continues until the page's last row.
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

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

export interface PageWindowDeps<Row> extends PageReadDeps<Row> {
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface ActiveRead {
  readonly next: NextRead;
  readonly controller: AbortController;
}

/**
 * Opens a window on a list. It sends one request at a time, because each page names the cursor of the next, and
 * requests are scarce.
 */
export function createPageWindow<Row extends RowKey>({ now, ...parts }: PageWindowDeps<Row>): PageWindow<Row> {
  const store = createStore<Row>();
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;
  const reads = createPageReads(store, parts);
  let active: ActiveRead | null = null;

  const run = async (next: NextRead, isAwaited: boolean): Promise<void> => {
    const controller = new AbortController();
    active = { next, controller };
    store.change(() => ({ reading: next.kind }));
    const apply = await reads.run(next, controller.signal, isAwaited).then(
      (read): Apply<Row> =>
        (view) => ({ ...read(view), failure: null }),
      (error: unknown): Apply<Row> =>
        () => ({ failure: controller.signal.aborted ? null : { error: toError(error), at: now() } }),
    );
    if (isClosed()) return;
    active = null;
    store.change((view) => ({ ...apply(view), reading: null }));
    startNextRead();
  };

  /** A failure stops reading until a retry, and stays visible until a read succeeds. */
  const startNextRead = (isRetry = false, isAwaited = false): void => {
    if (active !== null || isClosed() || (store.state().failure !== null && !isRetry)) return;
    const next = toNextRead(store.state(), parts);
    if (next !== null) void run(next, isAwaited);
    else if (isRetry) store.change(() => ({ failure: null }));
  };

  return {
    read: store.read,
    subscribe: store.subscribe,
    rowAt: (row) => rowAt(store.state().list, row),
    setViewport: (viewport) => {
      store.setViewport(viewport, (view) => evictPages({ ...view, viewport }, parts).list);
      if (active?.next.kind === 'reload' && !isNear(store.state(), active.next.index, parts)) active.controller.abort();
      startNextRead();
    },
    retry: (isAwaited = false) => {
      startNextRead(true, isAwaited);
    },
    checkForNewer: async () => {
      if (active !== null || isClosed()) return;
      const apply = await reads.checkForNewer(closing.signal, now);
      if (!isClosed()) store.change(apply);
    },
    loadNewer: () => {
      store.change(() => ({ wantsNewer: true }));
      startNextRead(true);
    },
    loadUntil: (until) => {
      store.change((view) => withGoal(view, until, parts));
      startNextRead();
    },
    close: () => {
      closing.abort();
      active?.controller.abort();
    },
  };
}

interface Store<Row> extends Pick<PageWindow<Row>, 'read' | 'subscribe'> {
  /** The current state, including viewports that have not been published. */
  readonly state: () => WindowView<Row>;
  readonly change: (apply: Apply<Row>) => void;
  /** Sets the viewport. It changes with every frame, so listeners are called only if rows were dropped. */
  readonly setViewport: (viewport: Viewport, toRows: (view: WindowView<Row>) => WindowView<Row>['list']) => void;
}

function createStore<Row>(): Store<Row> {
  const listeners = new Set<() => void>();
  let view: WindowView<Row> = { ...INITIAL_STATE, reading: null, newer: NOT_CHECKED };
  let published = view;
  const change = (apply: Apply<Row>): void => {
    view = { ...view, ...apply(view) };
    published = view;
    for (const listener of listeners) listener();
  };
  return {
    change,
    read: () => published,
    state: () => view,
    setViewport: (viewport, toRows) => {
      const list = toRows(view);
      if (list === view.list) view = { ...view, viewport };
      else change(() => ({ list, viewport }));
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
