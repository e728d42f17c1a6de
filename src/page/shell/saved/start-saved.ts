import { createWatchlistStore } from '#page/panels/products/watchlist-store.ts';
import { formatRecord, parseRecord, RECORD_KEY, toStorageKey } from '#page/kit/saved-record.ts';
import { attempt, type Frame, STORED_EVENT } from '#page/kit/stored-value.ts';
import type { Access } from '#page/client/access.ts';
import { createActions } from '#page/client/create-actions.ts';
import { ProblemError } from '#page/client/errors.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import { presentError } from '#page/client/present-error.ts';
import { DeskSaved, SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { createParser } from '#contract/parse/parse.ts';
import { createLocalItems } from './local-items.ts';
import { AGAIN_AFTER_SECONDS, createSync, isAhead, type SyncDeps } from './sync-saved.ts';

/**
 * Converts the single favourites list of earlier versions to a watchlist, so that watchlists from another browser do
 * not hide it.
 * @internal Exported for its test.
 */
export function takeUpFavourites(frame: Frame): void {
  const has = (name: string): boolean => frame.localStorage.getItem(toStorageKey(name)) !== null;
  if (has('favourites') && !has('watchlists')) createWatchlistStore(frame).update((lists) => lists);
}

/** A drag changes the layout many times a second, so saving waits for it to settle. */
const SETTLED_AFTER_MS = 400;

/**
 * Keeps saved items in step between this browser and the server: at the start, when the page becomes visible, comes
 * online or the person signs in, and after each local change. Nothing on screen waits for it.
 */
export function startSaved(access: Access, http: HttpClient): void {
  const storage = attempt(() => localStorage);
  // Without storage there is nothing to merge.
  if (storage === null) return;
  takeUpFavourites(window);
  const parts = toParts(storage, http);
  const sync = createSync(parts);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let isDue = false;
  const isSignedIn = (): boolean => access.read()?.me !== null;
  const runIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
  const run = (): void => {
    isDue = running;
    if (running || !isSignedIn()) return;
    clearTimeout(timer);
    running = true;
    void sync().then((isDone) => {
      running = false;
      if (isDue) runIn(SETTLED_AFTER_MS);
      else if (!isDone) runIn(AGAIN_AFTER_SECONDS * 1_000);
    });
  };
  addEventListener(STORED_EVENT, () => {
    // The event is sent before the value is in the storage.
    queueMicrotask(() => {
      if (isAhead(parts)) runIn(SETTLED_AFTER_MS);
    });
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) run();
  });
  addEventListener('online', run);
  let wasSignedIn = isSignedIn();
  access.subscribe(() => {
    if (isSignedIn() && !wasSignedIn) run();
    wasSignedIn = isSignedIn();
  });
  run();
}

function toParts(storage: Storage, http: HttpClient): SyncDeps {
  const parser = createParser(DeskSaved);
  const { putSaved } = createActions(http, { putSaved: SAVED_ACTIONS.putSaved });
  const announce = (key: string, newValue: string | null): void => {
    // Browsers notify all other tabs of a change, but not this one.
    dispatchEvent(new StorageEvent('storage', { key, newValue }));
  };
  return {
    local: createLocalItems(storage, announce),
    owner: () => storage.getItem(toStorageKey('person')) ?? '',
    record: {
      read: () => parseRecord(storage.getItem(RECORD_KEY)),
      write: (record) => {
        const text = formatRecord(record);
        attempt(() => {
          storage.setItem(RECORD_KEY, text);
        });
        announce(RECORD_KEY, text);
      },
    },
    readDesk: async () => {
      const { text } = await http.get(SAVED_ENDPOINTS.saved.path, { isPrivate: true, isLocal: true });
      return parser.strict(text ?? '');
    },
    putItem: (body) => putSaved({ body }),
    describe: toSentence,
  };
}

function toSentence(error: Error): string {
  const mistake = error instanceof ProblemError ? error.document.errors?.[0] : undefined;
  return mistake === undefined ? presentError(error).detail : `It ${mistake.detail}.`;
}
