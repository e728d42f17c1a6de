import { attempt } from '#page/kit/stored-value.ts';
import { withPersonal } from './saved/local-items.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type Access, toEntitlement } from '#page/client/access.ts';
import { ACCESS_CHANNEL } from '#page/client/access-channel.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import { createActions } from '#page/client/create-actions.ts';
import { presentError } from '#page/client/present-error.ts';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS, DeskMe, FORGERY_HEADER } from '#contract/desk/access.ts';
import { createParser } from '#contract/parse/parse.ts';
import { announceRejection, onExport } from '#page/kit/watch-exports.ts';

const CHECK_MS = 20_000;

/** Tracks who is signed in for as long as the page lives. */
export function startAccess(access: Access, http: HttpClient, client: QueryClient, first: string): void {
  const parser = createParser(DeskMe);
  const ownership = createOwnership(window);
  const channel = new BroadcastChannel(ACCESS_CHANNEL);
  let last = '';
  let hasShown = false;

  const apply = (text: string): void => {
    const desk = parser.tolerant(text).value;
    if (desk === null || text === last) return;
    const before = access.read();
    last = text;
    const isOther = before !== null && entitlementOf(before) !== entitlementOf(desk);
    if (desk.me !== null && ownership.take(desk.me.id, { hasShown })) return;
    hasShown ||= desk.me !== null;
    const clear = (): void => {
      void client.cancelQueries();
      client.clear();
    };
    if (isOther && desk.me !== null) clear();
    access.change(desk, desk.forgery_token === null ? {} : { [FORGERY_HEADER]: desk.forgery_token });
    // Components on screen re-read what is cleared, so the screens are removed first.
    if (isOther && desk.me === null) setTimeout(clear);
    if (isOther) channel.postMessage('changed');
  };

  const { recordExport } = createActions(http, { recordExport: ACCESS_ACTIONS.recordExport });
  onExport(async ({ what, count }) => {
    try {
      await recordExport({ body: { what, filter: location.pathname + location.search, count } });
    } catch (cause) {
      const reason =
        'Nothing was saved or copied, because the export could not be recorded in the ' +
        `audit. ${describe(cause)} Try again.`;
      announceRejection(reason);
      throw new Error(reason, { cause });
    }
  });

  const { path } = ACCESS_ENDPOINTS.me;
  const read = async (): Promise<void> => {
    const { text } = await http.get(path, { isPrivate: true, isLocal: true });
    apply(text ?? '');
  };
  const check = whenDue(read);
  access.onCheck(check);
  channel.addEventListener('message', () => void check());
  // When access changes, the server ends the stream, which triggers a check sooner. Without a stream, these events do.
  const checkInSight = (): void => {
    if (!document.hidden) void check();
  };
  document.addEventListener('visibilitychange', checkInSight);
  setInterval(checkInSight, CHECK_MS);
  apply(first);
}

function describe(cause: unknown): string {
  return cause instanceof Error ? presentError(cause).detail : '';
}

function entitlementOf({ me }: DeskMe): string {
  return me === null ? '' : toEntitlement(me);
}

/**
 * Runs one read at a time. A read requested during another one runs after it, since the earlier response may be out of
 * date. A failed read is left to the next request.
 */
function whenDue(read: () => Promise<void>): () => Promise<void> {
  let isDue = false;
  let reading: Promise<void> | null = null;
  const readWhileDue = async (): Promise<void> => {
    while (isDue) {
      isDue = false;
      await read().catch(() => undefined);
    }
    reading = null;
  };
  return () => {
    isDue = true;
    return (reading ??= readWhileDue());
  };
}

const PREFIX = 'perpdesk.';
const OWNER = `${PREFIX}person`;
/** Some preferences belong to the browser, regardless of who uses it. */
const PREFERENCES = `${PREFIX}preferences`;

interface Ownership {
  /**
   * Makes the person the owner of everything this browser stores, such as views that contain account codes. If another
   * person owned it, deletes it, reloads the page and returns true.
   */
  readonly take: (person: string, page: { readonly hasShown: boolean }) => boolean;
}

/** @internal Exported for its test. */
export function createOwnership({
  localStorage,
  sessionStorage,
  location,
}: Pick<Window, 'localStorage' | 'sessionStorage' | 'location'>): Ownership {
  return {
    take: (person, { hasShown }) => {
      // Session storage belongs to one tab, so each tab must clear its own.
      const areas = [localStorage, sessionStorage];
      const isOthers = areas.some((area) => ![person, null].includes(attempt(() => area.getItem(OWNER))));
      for (const area of areas) {
        attempt(() => {
          if (isOthers) deleteAll(area);
          area.setItem(OWNER, person);
        });
      }
      // The address may contain data that only the previous person may see.
      if (isOthers) location.replace(hasShown ? '/' : location.pathname + location.search);
      return isOthers;
    },
  };
}

function deleteAll(area: Storage): void {
  for (const key of Object.keys(area)) if (key.startsWith(PREFIX)) deleteOne(area, key);
}

function deleteOne(area: Storage, key: string): void {
  const kept = key === PREFERENCES ? withPersonal(area.getItem(key), '') : '';
  if (kept === '') area.removeItem(key);
  else area.setItem(key, kept);
}
