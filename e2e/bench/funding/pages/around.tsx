import { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createAccess } from '../../../../src/page/client/access.ts';
import { createLive } from '../../../../src/page/client/live/live.ts';
import { createKeyboard } from '../../../../src/page/kit/keyboard.ts';
import { createNavigator } from '../../../../src/page/kit/navigator.ts';
import { createPreferenceStore } from '../../../../src/page/kit/preferences.ts';
import { createApiClient, createBrowserClock } from '../../../../src/page/shell/browser.ts';
import { Providers } from '../../../../src/page/shell/providers.tsx';
import '../../../../src/page/kit/tokens.css';

const parts = {
  preferences: createPreferenceStore(window),
  navigator: createNavigator(window, []),
  keyboard: createKeyboard(),
  clock: createBrowserClock(),
  apiClient: createApiClient(createLive(), createAccess()),
  // There is no server, so nothing is read.
  queryClient: new QueryClient({ defaultOptions: { queries: { enabled: false } } }),
};

/** Wraps a part in the providers that parts of the screen need. */
export function Around({ children }: { readonly children: ReactNode }) {
  return <Providers {...parts}>{children}</Providers>;
}
