import type { Cursor } from '#contract/paging.ts';
import type { PagePurpose } from '../http-client.ts';
import { withDoubts } from './doubts.ts';
import { afterTail, countNewer, NOT_LOOKED, readNewHead, toNewestCursor } from './newer.ts';
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
  readonly wanted: Wanted;
  readonly controller: AbortController;
}

/** Opens a window on a list. It reads by one request at a time: each page says where the next begins, and requests are scarce. */
export function createPageWindow<Row extends Place>({ now, ...parts }: PageWindowParts<Row>): PageWindow<Row> {
  const store = createStore<Row>();
  const closing = new AbortController();
  const isClosed = (): boolean => closing.signal.aborted;
  const reads = createReads(store, parts);
  let flight: Flight | null = null;

  const run = async (wanted: Wanted): Promise<void> => {
    const controller = new AbortController();
    flight = { wanted, controller };
    store.change(() => ({ doing: wanted.kind }));
    const apply = await reads.wanted(wanted, controller.signal).then(
      (read): Apply<Row> => (view) => ({ ...read(view), trouble: null }),
      (error: unknown): Apply<Row> => () => ({ trouble: controller.signal.aborted ? null : { error: toError(error), at: now() } }),
    );
    if (isClosed()) return;
    flight = null;
    store.change((view) => ({ ...apply(view), doing: null }));
    pump();
  };

  /** What went wrong stops the reading until somebody wants it again, and is told until it has gone right. */
  const pump = (isAgain = false): void => {
    if (flight !== null || isClosed() || (store.state().trouble !== null && !isAgain)) return;
    const wanted = toWanted(store.state(), parts);
    if (wanted !== null) void run(wanted);
    else if (isAgain) store.change(() => ({ trouble: null }));
  };

  return {
    read: store.read,
    subscribe: store.subscribe,
    rowAt: (row) => rowAt(store.state().list, row),
    show: (look) => {
      store.look(look, (view) => keepBounds({ ...view, look }, parts).list);
      if (flight?.wanted.kind === 'again' && !isNear(store.state(), flight.wanted.index, parts)) flight.controller.abort();
      pump();
    },
    retry: () => {
      pump(true);
    },
    lookForNewer: async () => {
      if (flight !== null || isClosed()) return;
      const apply = await reads.look(closing.signal, now);
      if (!isClosed()) store.change(apply);
    },
    takeNewer: () => {
      store.change(() => ({ wantsNewer: true }));
      pump(true);
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
}

function createReads<Row extends Place>(store: Store<Row>, parts: Omit<PageWindowParts<Row>, 'now'>): Reads<Row> {
  const askCounted = async (cursor: Cursor | null, asking: Asking): Promise<PageAnswer<Row>> => {
    store.change((view) => ({ requests: view.requests + 1 }));
    const answer = await parts.ask(cursor, asking);
    if (answer.deviations.length > 0) store.change((view) => withDoubts(view, answer));
    return answer;
  };
  const readMore = async (cursor: Cursor | null, asking: Asking): Promise<Apply<Row>> => {
    const answer = await askCounted(cursor, asking);
    return (view) => afterMore(view, cursor, answer, parts);
  };
  const readTail = async (cursor: Cursor | null, asking: Asking): Promise<Apply<Row>> => {
    const answer = await askCounted(cursor, asking);
    return (view) => afterTail(view, answer, parts);
  };
  const readNewer = async (asking: Asking): Promise<Apply<Row>> => {
    const place = toNewestCursor(store.state(), parts.direction);
    const apply =
      place === null || parts.direction === 'desc'
        ? await readNewHead(store.state(), (cursor) => askCounted(cursor, asking), parts, NOTHING_ASKED)
        : await readTail(place.cursor, asking);
    return (view) => ({ ...apply(view), wantsNewer: false, newer: { ...NOT_LOOKED, lookedAt: view.newer.lookedAt } });
  };
  return {
    wanted: async (wanted, signal) => {
      const clicked: Asking = { signal, purpose: 'click' };
      if (wanted.kind === 'newer') return readNewer(clicked);
      if (wanted.kind === 'more') return readMore(wanted.cursor, wanted.cursor === null ? clicked : { signal });
      const page = await readAgain(store.state().list, wanted.index, (cursor) => askCounted(cursor, clicked), parts.direction);
      return (view) => afterAgain(view, wanted.index, page, parts);
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
