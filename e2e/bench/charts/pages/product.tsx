/** A screen of the product in all its providers. Its responses are held back until the measurement starts. */
import { createRoot, type Root } from 'react-dom/client';
import { createAccess } from '../../../../src/page/client/access.ts';
import { createApi } from '../../../../src/page/client/create-api.ts';
import { createQueries } from '../../../../src/page/client/queries/create-queries.ts';
import { createQueryClient } from '../../../../src/page/client/queries/create-query-client.ts';
import { createHttpClient } from '../../../../src/page/client/http-client.ts';
import { createBrowserClock } from '../../../../src/page/shell/browser.ts';
import type { Providers } from '../../../../src/page/shell/providers.tsx';
import { createKeyboard } from '../../../../src/page/kit/keyboard.ts';
import { createNavigator } from '../../../../src/page/kit/navigator.ts';
import { createPreferenceStore } from '../../../../src/page/kit/preferences.ts';
import '../../../../src/page/kit/tokens.css';
import '../../../../src/page/kit/base.css';

type Parts = Omit<Parameters<typeof Providers>[0], 'children'>;

export interface Product {
  readonly parts: Parts;
  readonly root: Root;
  /** Releases the held responses. */
  readonly release: () => void;
  /** How many responses have arrived. */
  readonly arrived: () => number;
}

export function createProduct(): Product {
  const host = document.getElementById('root');
  if (host === null) throw new Error('The page has no root.');
  const now = (): number => Date.now();
  const gate = Promise.withResolvers<undefined>();
  let arrived = 0;
  const held = async (target: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(target, init);
    const text = await response.text();
    arrived += 1;
    await gate.promise;
    return new Response(text, { headers: response.headers });
  };
  const http = createHttpClient({ fetch: held, now, timeout: (ms) => AbortSignal.timeout(ms) });
  const api = createApi(http);
  const apiClient = { http, api, queries: createQueries({ api, now }), now, access: createAccess() };
  const parts: Parts = {
    preferences: createPreferenceStore(window),
    navigator: createNavigator(window, []),
    keyboard: createKeyboard(),
    clock: createBrowserClock(),
    apiClient,
    queryClient: createQueryClient({ statusKey: apiClient.queries.desk.status({}).queryKey }),
  };
  const release = (): void => {
    gate.resolve(undefined);
  };
  return { parts, root: createRoot(host), release, arrived: () => arrived };
}
