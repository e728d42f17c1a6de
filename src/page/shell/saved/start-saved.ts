import type { Access } from '#page/client/access.ts';
import { createActions } from '#page/client/create-actions.ts';
import { ProblemError } from '#page/client/errors.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import { presentError } from '#page/client/present-error.ts';
import { DeskSaved, SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { createParser } from '#contract/parse/parse.ts';
import { formatRecord, parseRecord, RECORD_KEY, toStorageKey } from '#page/kit/saved/saved-record.ts';
import { attempt, STORED_EVENT } from '#page/kit/stored-value.ts';
import { createLocalItems } from './local-items.ts';
import { AGAIN_AFTER_SECONDS, createSync, isAhead, type SyncParts } from './sync-saved.ts';
import { takeUpFavourites } from './take-up-favourites.ts';

/** A drag changes the layout many times a second. */
const SETTLED_AFTER_MS = 400;

/**
 * What a person saves follows them: this browser and the desk agree when the page has started, when it becomes visible and
 * when something is saved here. What is on screen never waits for it.
 */
export function startSaved(access: Access, http: HttpClient): void {
  const storage = attempt(() => localStorage);
  // A browser that stores nothing has nothing that could be merged.
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
    // The value is in the storage once the code that stores it has run.
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

function toParts(storage: Storage, http: HttpClient): SyncParts {
  const parser = createParser(DeskSaved);
  const { putSaved } = createActions(http, { putSaved: SAVED_ACTIONS.putSaved });
  const announce = (key: string, newValue: string | null): void => {
    // Browsers say so in all other tabs, but not in this one.
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
