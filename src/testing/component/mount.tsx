import { createRoot } from 'react-dom/client';
import { commands, page } from 'vitest/browser';
import { expect, onTestFinished, vi } from 'vitest';
import { createAccess } from '#page/client/access.ts';
import { createApi } from '#page/client/create-api.ts';
import { createHttpClient } from '#page/client/http-client.ts';
import { createLive } from '#page/client/live/live.ts';
import { createQueries } from '#page/client/queries/create-queries.ts';
import { createQueryClient } from '#page/client/create-query-client.ts';
import { createBrowserClock, createBrowserThrottle } from '#page/shell/browser.ts';
import { applyAppearance } from '#page/shell/apply-preferences.ts';
import { Providers } from '#page/shell/providers.tsx';
import { Shell } from '#page/shell/shell.tsx';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { createKeyboard } from '#page/kit/keys/keyboard.ts';
import { createNavigator } from '#page/kit/navigation/navigator.ts';
import { createPreferenceStore } from '#page/kit/preferences/preferences.ts';
import { ZONE_PARAMETER } from '#page/kit/preferences/use-preferences.tsx';
import type { RecordedAnswer } from './answers.ts';
import { RECORDED_AT } from './recorded-at.ts';
import '#page/kit/fonts.css';
import '#page/kit/tokens.css';
import '#page/kit/base.css';

declare module 'vitest/browser' {
  interface BrowserCommands {
    answer: (target: string) => Promise<RecordedAnswer | null>;
  }
}

/** Requested once a run, whichever test is first. */
const known = new Map<string, Promise<RecordedAnswer | null>>();

/** Null if there is none. */
export function recordedAnswer(target: string): Promise<RecordedAnswer | null> {
  const found = known.get(target) ?? commands.answer(target);
  known.set(target, found);
  return found;
}

export const DESKTOP: Size = [1_440, 900];

type Size = readonly [width: number, height: number];

/** What a test makes of an answer, given the headers that were sent; one that never settles is an answer that does not come. */
export type Change = (answer: RecordedAnswer, sent: Headers) => RecordedAnswer | Promise<RecordedAnswer>;

interface Options {
  readonly change?: Change;
  /** What a test answers itself, instead of what is recorded. */
  readonly answer?: (target: string) => RecordedAnswer | null | Promise<RecordedAnswer | null>;
  /** Of the page, in pixels. */
  readonly size?: Size;
  /** When it is for the page, where that is not the time of the answers. */
  readonly at?: number;
  /** Timers that are faked go on with the time, and faster by `vi.advanceTimersByTimeAsync`. */
  readonly timers?: 'real' | 'faked';
}

interface Mounted {
  /** Whether nothing is being read any more. */
  readonly isSettled: () => boolean;
  /** Paths and queries of all requests so far. */
  readonly requested: readonly string[];
  readonly unmount: () => void;
}

/** Ends the app that is open, whose keys would otherwise go on working beside those of the next. */
let endPrevious = (): void => undefined;

/** The app at an address, with the answers of a desk as they were recorded, or as `change` makes them. It takes the place of the last one, as in a page that is loaded again. */
export function mount(
  address: string,
  { change = (answer) => answer, answer = () => null, at = RECORDED_AT, timers = 'real' }: Omit<Options, 'size'> = {},
): Mounted {
  endPrevious();
  vi.useFakeTimers({
    toFake: timers === 'real' ? ['Date'] : ['Date', 'setTimeout', 'clearTimeout'],
    now: at,
    shouldAdvanceTime: timers === 'faked',
  });
  history.replaceState(null, '', address);
  const element = document.createElement('div');
  element.id = 'root';
  document.body.replaceChildren(element);
  const [live, access, preferences] = [createLive(), createAccess(), createPreferenceStore(window)];
  const navigator = createNavigator(window, [ZONE_PARAMETER]);
  const now = (): number => Date.now();
  const requested: string[] = [];
  const fetch = async (target: string, init: RequestInit): Promise<Response> => {
    requested.push(target);
    const recorded = (await answer(target)) ?? (await recordedAnswer(target));
    if (recorded === null) throw new Error(`No answer to GET ${target} is recorded: npm run record.`);
    const { status, headers, text } = await change(recorded, new Headers(init.headers));
    return new Response(text, { status, headers });
  };
  const http = createHttpClient({ fetch, now, timeout: () => new AbortController().signal, access });
  const api = createApi(http);
  const apiClient = { http, api, queries: createQueries({ api, now, live }), now, live, access };
  const queryClient = createQueryClient({ statusKey: apiClient.queries.desk.status({}).queryKey });
  applyAppearance(preferences, document.documentElement);
  const root = createRoot(element);
  const unmount = (): void => {
    root.unmount();
    queryClient.clear();
  };
  endPrevious = unmount;
  onTestFinished(() => {
    unmount();
    vi.useRealTimers();
  });
  root.render(
    <ErrorBoundary>
      <Providers
        {...{ preferences, navigator, apiClient, queryClient }}
        keyboard={createKeyboard()}
        clock={createBrowserClock()}
        throttle={createBrowserThrottle()}
      >
        <Shell />
      </Providers>
    </ErrorBoundary>,
  );
  return { isSettled: () => queryClient.isFetching() === 0, requested, unmount };
}

/** The app at an address once all that it reads has come. In one test, a second one is what a reload or another tab shows. */
export async function open(address: string, { size = DESKTOP, ...options }: Options = {}): Promise<Mounted> {
  await page.viewport(...size);
  const mounted = mount(address, options);
  const shown = (): string => document.querySelector('main')?.innerText.trim() ?? '';
  await expect.poll(shown).not.toBe('');
  // That its code is being loaded, before it requests anything; so may that of a panel.
  await expect.poll(shown).not.toBe('Loading…');
  await expect.poll(() => mounted.isSettled() && document.querySelector('main [aria-busy=true]') === null).toBe(true);
  return mounted;
}
