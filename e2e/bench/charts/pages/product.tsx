/** A screen of the product with all that it stands in, and answers that are let through when the clock starts. */
import { createRoot, type Root } from 'react-dom/client';
import { createApi } from '../../../../src/api/create-api.ts';
import { createQueries } from '../../../../src/api/create-queries.ts';
import { createQueryClient } from '../../../../src/api/create-query-client.ts';
import { createHttpClient } from '../../../../src/api/http-client.ts';
import { createPageClock, createPagePace } from '../../../../src/app/page-clock.ts';
import { createTeller } from '../../../../src/app/create-teller.ts';
import type { Providers } from '../../../../src/app/providers.tsx';
import { createKeyboard } from '../../../../src/ui/keys/keyboard.ts';
import { createNavigator } from '../../../../src/ui/navigation/navigator.ts';
import { createPreferenceStore } from '../../../../src/ui/preferences/preference-store.ts';
import '../../../../src/ui/tokens.css';
import '../../../../src/ui/base.css';

type Parts = Omit<Parameters<typeof Providers>[0], 'children'>;

export interface Product {
  readonly parts: Parts;
  readonly root: Root;
  /** Lets the answers through that have come. */
  readonly release: () => void;
  /** How many have come so far. */
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
  const api = createApi(createHttpClient({ fetch: held, now, limit: (ms) => AbortSignal.timeout(ms) }));
  const door = { api, queries: createQueries({ api, now }), now };
  const parts: Parts = {
    preferences: createPreferenceStore(window),
    navigator: createNavigator(window, []),
    keyboard: createKeyboard(),
    clock: createPageClock(),
    pace: createPagePace(),
    teller: createTeller(),
    door,
    client: createQueryClient({ statusKey: door.queries.desk.status({}).queryKey }),
  };
  const release = (): void => {
    gate.resolve(undefined);
  };
  return { parts, root: createRoot(host), release, arrived: () => arrived };
}

