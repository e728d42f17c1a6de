import { type Navigator, parseAddress } from '#page/kit/navigator.ts';
import { DEFAULT_PREFERENCES, type PreferenceStore } from '#page/kit/preferences.ts';
import { ZONE_PARAMETER } from '#page/kit/use-preferences.tsx';
import type { Access } from '#page/client/access.ts';
import { createApi } from '#page/client/create-api.ts';
import { createQueries } from '#page/client/queries/create-queries.ts';
import type { Live } from '#page/client/live/live.ts';
import { createHttpClient } from '#page/client/http-client.ts';
import type { ApiClient } from '#page/client/react/use-api.tsx';
import { nextTask } from '#page/kit/next-task.ts';
import type { Clock } from '#model/tables/clock.ts';
import { createClock } from '#page/kit/time/clock.ts';

/** Sets theme, colours and density on the root element before the first paint, so that nothing flashes. */
export function applyAppearance({ read, subscribe }: PreferenceStore, root: HTMLElement): void {
  const apply = (): void => {
    const { theme, palette, density } = read();
    Object.assign(root.dataset, { theme, palette, density });
  };
  apply();
  subscribe(apply);
}

/**
 * Adds the preferred time zone to every address that lacks one, including older history entries, so that a shared link
 * shows the same times.
 */
export function syncZoneParameter(preferences: Pick<PreferenceStore, 'read'>, navigator: Navigator): void {
  const addZone = (): void => {
    const { zone } = preferences.read();
    const address = navigator.read();
    if (zone === DEFAULT_PREFERENCES.zone || parseAddress(address).query.has(ZONE_PARAMETER)) return;
    const target = new URL(address, 'http://page');
    target.searchParams.set(ZONE_PARAMETER, zone);
    navigator.go(target.pathname + target.search + target.hash, 'replace');
  };
  addZone();
  navigator.subscribe(addZone);
}

/** Creates a clock that stops while the page is hidden. */
export function createBrowserClock(): Clock {
  return createClock({
    now: () => Date.now(),
    everySecond: (beat) => {
      const timer = setInterval(beat, 1_000);
      return () => {
        clearInterval(timer);
      };
    },
    isHidden: () => document.hidden,
    onVisible: (listener) => {
      document.addEventListener('visibilitychange', listener);
    },
  });
}

export function createApiClient(live: Live, access: Access): ApiClient {
  const now = (): number => Date.now();
  const http = createHttpClient({ fetch: fetchInNewTask, now, timeout: (ms) => AbortSignal.timeout(ms), access });
  const api = createApi(http);
  return { http, api, queries: createQueries({ api, now, live }), now, live, access };
}

/** Starts each request in its own task: all requests of an opening screen together would be one long task. */
async function fetchInNewTask(target: string, init: RequestInit): Promise<Response> {
  await nextTask();
  return fetch(target, init);
}
