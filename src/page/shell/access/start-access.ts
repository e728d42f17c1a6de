import type { QueryClient } from '@tanstack/react-query';
import { toEntitlement, type Access } from '#page/client/access.ts';
import { ACCESS_CHANNEL } from '#page/client/access-channel.ts';
import type { HttpClient } from '#page/client/http-client.ts';
import { createActions } from '#page/client/create-actions.ts';
import { presentError } from '#page/client/present-error.ts';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS, DeskMe, FORGERY_HEADER } from '#contract/desk/access.ts';
import { createParser } from '#contract/parse/parse.ts';
import { announceRefusal, onExport } from '#page/kit/watch-exports.ts';
import { createOwnership } from './ownership.ts';

const CHECK_MS = 20_000;

/** Follows who is signed in, for as long as the page lives. */
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
    // What is on screen reads again whatever is cleared, so the screens go first.
    if (isOther && desk.me === null) setTimeout(clear);
    if (isOther) channel.postMessage('changed');
  };

  const { recordExport } = createActions(http, { recordExport: ACCESS_ACTIONS.recordExport });
  onExport(async ({ what, count }) => {
    try {
      await recordExport({ body: { what, filter: location.pathname + location.search, count } });
    } catch (cause) {
      const reason = `Nothing was saved or copied, because the export could not be recorded in the audit. ${describe(cause)} Try again.`;
      announceRefusal(reason);
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
  // A stream that ends brings changes sooner; without one, these do.
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

/** One read at a time; what is due during a read is read after it, since its response may be older. A failed read is left to the next. */
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
