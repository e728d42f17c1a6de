import type { Access } from '#page/client/access.ts';
import { createApi } from '#page/client/create-api.ts';
import { createQueries } from '#page/client/queries/create-queries.ts';
import type { Live } from '#page/client/live/live.ts';
import { createHttpClient } from '#page/client/http-client.ts';
import type { ApiClient } from '#page/client/react/use-api.tsx';
import { nextTask } from '#page/kit/next-task.ts';
import type { Clock } from '#model/tables/clock.ts';
import { createClock } from '#page/kit/time/clock.ts';
import { createThrottle, type Throttle } from '#page/kit/time/throttle.ts';

/** Stops while the page is hidden. */
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

export function createBrowserThrottle(): Throttle {
  return createThrottle({
    now: () => performance.now(),
    setTimer: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => {
        clearTimeout(timer);
      };
    },
  });
}

export function createApiClient(live: Live, access: Access): ApiClient {
  const now = (): number => Date.now();
  const http = createHttpClient({ fetch: fetchInNewTask, now, timeout: (ms) => AbortSignal.timeout(ms), access });
  const api = createApi(http);
  return { http, api, queries: createQueries({ api, now, live }), now, live, access };
}

/** Each request starts in a task of its own, since all requests of a screen that opens would otherwise make one long task. */
async function fetchInNewTask(target: string, init: RequestInit): Promise<Response> {
  await nextTask();
  return fetch(target, init);
}
