import { createRoot } from 'react-dom/client';
import { commands, page } from 'vitest/browser';
import { expect, onTestFinished, vi } from 'vitest';
import { createAccess } from '#page/client/access.ts';
import { createApi } from '#page/client/create-api.ts';
import { createHttpClient } from '#page/client/http-client.ts';
import { createLive } from '#page/client/live/live.ts';
import { createQueries } from '#page/client/queries/create-queries.ts';
import { createQueryClient } from '#page/client/queries/create-query-client.ts';
import { applyAppearance, createBrowserClock } from '#page/shell/browser.ts';
import { Providers } from '#page/shell/providers.tsx';
import { Shell } from '#page/shell/shell.tsx';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { createKeyboard } from '#page/kit/keyboard.ts';
import { createNavigator } from '#page/kit/navigator.ts';
import { createPreferenceStore } from '#page/kit/preferences.ts';
import { ZONE_PARAMETER } from '#page/kit/use-preferences.tsx';
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

/** Each recorded response is requested once per run, by whichever test needs it first. */
const known = new Map<string, Promise<RecordedAnswer | null>>();

/** Returns the recorded response to a request; null if there is none. */
export function recordedAnswer(target: string): Promise<RecordedAnswer | null> {
  const found = known.get(target) ?? commands.answer(target);
  known.set(target, found);
  return found;
}

export const DESKTOP: Size = [1_440, 900];

type Size = readonly [width: number, height: number];

/** Changes a response, given the headers that were sent. One that never settles is a response that never arrives. */
export type Change = (answer: RecordedAnswer, sent: Headers) => RecordedAnswer | Promise<RecordedAnswer>;

interface Options {
  readonly change?: Change;
  /** Responds instead of the recording. */
  readonly answer?: (target: string, init: RequestInit) => RecordedAnswer | null | Promise<RecordedAnswer | null>;
  /** The size of the page, in pixels. */
  readonly size?: Size;
  /** The time on the page, if it is not that of the recorded responses. */
  readonly at?: number;
  /** Timers are faked. They advance with the time, and faster by `vi.advanceTimersByTimeAsync`. */
  readonly timers?: 'real' | 'faked';
}

interface Mounted {
  /** Whether nothing is being read any longer. */
  readonly isSettled: () => boolean;
  /** The paths and queries of all requests so far. */
  readonly requested: readonly string[];
  readonly unmount: () => void;
}

/** Closes the open app, whose keys would otherwise keep working beside those of the next one. */
let endPrevious = (): void => undefined;

/**
 * Mounts the app at an address, with recorded responses of Perpdesk or as `change` alters them. It replaces the
 * previous app, as a reload would.
 */
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
    const recorded = (await answer(target, init)) ?? (await recordedAnswer(target));
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
      >
        <Shell />
      </Providers>
    </ErrorBoundary>,
  );
  return { isSettled: () => queryClient.isFetching() === 0, requested, unmount };
}

/**
 * Mounts the app at an address and waits until everything that it reads has arrived. In one test, a second app is what
 * a reload or another tab shows.
 */
export async function open(address: string, { size = DESKTOP, ...options }: Options = {}): Promise<Mounted> {
  await page.viewport(...size);
  const mounted = mount(address, options);
  const shown = (): string => document.querySelector('main')?.innerText.trim() ?? '';
  await expect.poll(shown).not.toBe('');
  // The screen may say that its code is being loaded, before it requests anything. A panel may do so too.
  await expect.poll(shown).not.toBe('Loading…');
  await expect.poll(() => mounted.isSettled() && document.querySelector('main [aria-busy=true]') === null).toBe(true);
  return mounted;
}
