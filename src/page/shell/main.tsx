import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAccess } from '#page/client/access.ts';
import { createQueryClient } from '#page/client/queries/create-query-client.ts';
import { createLive } from '#page/client/live/live.ts';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { createKeyboard } from '#page/kit/keyboard.ts';
import { createNavigator } from '#page/kit/navigator.ts';
import { createPreferenceStore } from '#page/kit/preferences.ts';
import { nextTask } from '#page/kit/next-task.ts';
import { ZONE_PARAMETER } from '#page/kit/use-preferences.tsx';
import { AccessGate, mayBeLocal, openAccess } from './access-gate.tsx';
import { matchScreen } from './screens.ts';
import { applyAppearance, createApiClient, createBrowserClock, syncZoneParameter } from './browser.ts';
import { Providers } from './providers.tsx';
import { Shell } from './shell.tsx';
import '#page/kit/fonts.css';
import '#page/kit/tokens.css';
import '#page/kit/base.css';

// The modules above have just been evaluated. Starting in a separate task avoids one long task.
await nextTask();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to draw in.');

// Starts loading the screen's code early. If that fails, the screen itself shows the failure.
matchScreen(location.pathname)
  ?.screen.Component.fetch()
  .catch(() => undefined);

const live = createLive();
const access = createAccess();
const apiClient = createApiClient(live, access);
const queryClient = createQueryClient({ statusKey: apiClient.queries.desk.status({}).queryKey });
const opened = openAccess(access, apiClient.http, queryClient);
// Nearly every screen needs the products first, so they are read while its code loads. If that fails, the screen shows
// the failure.
queryClient.query(apiClient.queries.desk.products({})).catch(() => undefined);

const preferences = createPreferenceStore(window);
const navigator = createNavigator(window, [ZONE_PARAMETER]);
applyAppearance(preferences, document.documentElement);
syncZoneParameter(preferences, navigator);
const parts = {
  preferences,
  navigator,
  keyboard: createKeyboard(),
  clock: createBrowserClock(),
  apiClient,
  queryClient,
};

// A transition splits the first render into steps instead of one long task.
const draw = (): void => {
  startTransition(() => {
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary>
          <Providers {...parts}>
            <AccessGate>
              <Shell />
            </AccessGate>
          </Providers>
        </ErrorBoundary>
      </StrictMode>,
    );
  });
};
// Waits for the sign-in state, so that nobody briefly sees screens they may not use. A top-level `await` would not do,
// because code loaded later waits for this file.
if (mayBeLocal(location)) draw();
else void opened.then(draw);

// Loaded separately, so that the first screen arrives sooner; polling serves until the stream is open.
import('./start-later.ts')
  .then(({ startLater }) => startLater(live, apiClient.http, access, queryClient, opened))
  .catch(() => undefined);
