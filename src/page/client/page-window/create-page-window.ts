import { NOT_CHECKED } from './newer.ts';
import { rowAt } from './page-list.ts';
import { createPageReads, toError, type Apply, type PageReadParts } from './page-reads.ts';
import type { PageWindow, WindowView } from './page-window.ts';
import type { RowKey } from './row-key.ts';
import {
  evictPages,
  INITIAL_STATE,
  isNear,
  toNextRead,
  withGoal,
  type NextRead,
  type Viewport,
} from './window-state.ts';

export interface PageWindowParts<Row> extends PageReadParts<Row> {
  /** Epoch milliseconds. */
  readonly now: () => number;
}

interface ActiveRead {
  readonly next: NextRead;
  readonly controller: AbortController;
}

/** Opens a window on a list. It sends one request at a time: each page names the cursor of the next, and requests are scarce. */
export function createPageWindow<Row extends RowKey>({ now, ...parts }: PageWindowParts<Row>): PageWindow<Row> {
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

  /** A failure stops reading until a retry, and stays in the view until a read succeeds. */
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
  /** The current state, including viewports that were not published. */
  readonly state: () => WindowView<Row>;
  readonly change: (apply: Apply<Row>) => void;
  /** The viewport changes with every frame, so listeners are called only if rows were dropped. */
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
