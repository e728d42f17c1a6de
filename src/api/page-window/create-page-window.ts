import type { Cursor } from '#contract/paging.ts';
import type { PagePurpose } from '../http-client.ts';
import { countNewer, NOT_LOOKED, readNewHead, toNewestCursor } from './newer.ts';
import { rowAt } from './page-list.ts';
import type { PageWindow, WindowView } from './page-window.ts';
import type { Place } from './place.ts';
import { readAgain } from './read-again.ts';
import {
  afterAgain,
  afterMore,
  isNear,
  keepBounds,
  NOTHING_ASKED,
  toWanted,
  withGoal,
  type PageAnswer,
  type Wanted,
  type WindowRules,
} from './window-state.ts';

interface Asking {
  readonly signal: AbortSignal;
  readonly purpose?: PagePurpose;
}

export interface PageWindowParts<Row> extends WindowRules {
  readonly ask: (cursor: Cursor | null, asking: Asking) => Promise<PageAnswer<Row>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** How what was read changes the window as it is by then. */
type Apply<Row> = (view: WindowView<Row>) => Partial<WindowView<Row>>;

interface Flight {
  /** Null: what is newer. */
  readonly wanted: Wanted | null;
  readonly controller: AbortController;
}

/** Opens a window on a list. It reads by one request at a time: each page says where the next begins, and requests are scarce. */
export function createPageWindow<Row extends Place>({ now, ...parts }: PageWindowParts<Row>): PageWindow<Row> {
  const store = createStore<Row>();
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;
  const reads = createReads(store, parts);
  let flight: Flight | null = null;

  const run = async (wanted: Wanted | null, read: (signal: AbortSignal) => Promise<Apply<Row>>): Promise<void> => {
    const controller = new AbortController();
    flight = { wanted, controller };
    store.change(() => ({ doing: wanted?.kind ?? 'newer' }));
    const apply = await read(controller.signal).catch(
      (error: unknown): Apply<Row> => () => controller.signal.aborted ? {} : { trouble: { error: toError(error), at: now() } },
    );
    if (isClosed()) return;
    flight = null;
    store.change((view) => ({ ...apply(view), doing: null }));
    pump();
  };

  const pump = (): void => {
    const state = store.state();
    const wanted = flight === null && state.trouble === null ? toWanted(state, parts) : null;
    if (wanted !== null && !isClosed()) void run(wanted, (signal) => reads.wanted(wanted, signal));
  };

  return {
    read: store.read,
    subscribe: store.subscribe,
    rowAt: (row) => rowAt(store.state().list, row),
    show: (look) => {
      store.look(look, (view) => keepBounds({ ...view, look }, parts).list);
      if (flight?.wanted?.kind === 'again' && !isNear(store.state(), flight.wanted.index, parts)) flight.controller.abort();
      pump();
    },
    retry: () => {
      store.change(() => ({ trouble: null }));
      pump();
    },
    lookForNewer: async () => {
      if (flight !== null || isClosed()) return;
      const apply = await reads.look(closing.signal, now);
      if (!isClosed()) store.change(apply);
    },
    takeNewer: () => {
      if (flight !== null || isClosed()) return;
      store.change(() => ({ trouble: null }));
      void run(null, reads.newer);
    },
    readUntil: (until) => {
      store.change((view) => withGoal(view, until, parts));
      pump();
    },
    close: () => {
      closing.abort();
      flight?.controller.abort();
    },
  };
}

interface Reads<Row> {
  readonly wanted: (wanted: Wanted, signal: AbortSignal) => Promise<Apply<Row>>;
  readonly look: (signal: AbortSignal, now: () => number) => Promise<Apply<Row>>;
  readonly newer: (signal: AbortSignal) => Promise<Apply<Row>>;
}

function createReads<Row extends Place>(store: Store<Row>, parts: Omit<PageWindowParts<Row>, 'now'>): Reads<Row> {
  const askCounted = (cursor: Cursor | null, asking: Asking): Promise<PageAnswer<Row>> => {
    store.change((view) => ({ requests: view.requests + 1 }));
    return parts.ask(cursor, asking);
  };
  return {
    wanted: async (wanted, signal) => {
      if (wanted.kind === 'again') {
        const page = await readAgain(store.state().list, wanted.index, (cursor) => askCounted(cursor, { signal, purpose: 'click' }), parts.direction);
        return (view) => afterAgain(view, wanted.index, page, parts);
      }
      const isFirst = wanted.cursor === null;
      const answer = await askCounted(wanted.cursor, { signal, ...(isFirst && { purpose: 'click' }) });
      return (view) => afterMore(view, wanted.cursor, answer, parts);
    },
    look: async (signal, now) => {
      const place = toNewestCursor(store.state(), parts.direction);
      if (place === null) return () => ({ newer: NOT_LOOKED });
      try {
        const answer = await askCounted(place.cursor, { signal, purpose: 'prefetch' });
        return (view) => ({ newer: countNewer(view, answer, parts.direction, now()) });
      } catch (error) {
        return ({ newer }) => ({ newer: { ...newer, lookedAt: null, error: toError(error) } });
      }
    },
    newer: async (signal) => {
      const ask = (cursor: Cursor | null) => askCounted(cursor, { signal, purpose: 'click' });
      const place = toNewestCursor(store.state(), parts.direction);
      if (place === null || parts.direction === 'desc') {
        const apply = await readNewHead(store.state(), ask, parts, NOTHING_ASKED);
        return (view) => ({ ...apply(view), newer: { ...NOT_LOOKED, lookedAt: view.newer.lookedAt } });
      }
      const answer = await ask(place.cursor);
      return (view) => ({ ...afterMore(view, place.cursor, answer, parts), newer: { ...NOT_LOOKED, lookedAt: view.newer.lookedAt } });
    },
  };
}

interface Store<Row> extends Pick<PageWindow<Row>, 'read' | 'subscribe'> {
  /** As it is, what was looked at since the last telling included. */
  readonly state: () => WindowView<Row>;
  readonly change: (apply: Apply<Row>) => void;
  /** Where somebody looks changes with every frame: nobody is told, unless rows were dropped by it. */
  readonly look: (look: WindowView<Row>['look'], toRows: (view: WindowView<Row>) => WindowView<Row>['list']) => void;
}

function createStore<Row>(): Store<Row> {
  const listeners = new Set<() => void>();
  let view: WindowView<Row> = { ...NOTHING_ASKED, doing: null, newer: NOT_LOOKED };
  let told = view;
  const change = (apply: Apply<Row>): void => {
    view = { ...view, ...apply(view) };
    told = view;
    for (const listener of listeners) listener();
  };
  return {
    change,
    read: () => told,
    state: () => view,
    look: (look, toRows) => {
      const list = toRows(view);
      if (list === view.list) view = { ...view, look };
      else change(() => ({ list, look }));
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
