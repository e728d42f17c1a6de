import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAccess } from '#page/client/access.ts';
import { createQueryClient } from '#page/client/create-query-client.ts';
import { createLive } from '#page/client/live/live.ts';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { createKeyboard } from '#page/kit/keys/keyboard.ts';
import { createNavigator } from '#page/kit/navigation/navigator.ts';
import { createPreferenceStore } from '#page/kit/preferences/preferences.ts';
import { nextTask } from '#page/kit/next-task.ts';
import { ZONE_PARAMETER } from '#page/kit/preferences/use-preferences.tsx';
import { AccessGate } from './access/access-gate.tsx';
import { mayBeLocal, openAccess } from './access/open-access.ts';
import { matchScreen } from './shared/screens.ts';
import { applyAppearance, syncZoneParameter } from './apply-preferences.ts';
import { createApiClient, createBrowserClock, createBrowserThrottle } from './browser.ts';
import { Providers } from './providers.tsx';
import { Shell } from './shell.tsx';
import '#page/kit/fonts.css';
import '#page/kit/tokens.css';
import '#page/kit/base.css';

// The modules above have just run for the first time. Starting is a separate task, so that none is long.
await nextTask();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to draw in.');

// A failure is shown where the screen would be.
matchScreen(location.pathname)
  ?.screen.Component.fetch()
  .catch(() => undefined);

const live = createLive();
const access = createAccess();
const apiClient = createApiClient(live, access);
const queryClient = createQueryClient({ statusKey: apiClient.queries.desk.status({}).queryKey });
const opened = openAccess(access, apiClient.http, queryClient);
// Nearly every screen needs the products first, so they are read while its code loads. The screen shows a failure.
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
  throttle: createBrowserThrottle(),
  apiClient,
  queryClient,
};

// As a transition, the first render is split into steps instead of one long task.
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
// Nobody is shown for a moment what is not theirs to use. Not awaited here: the code of others than this machine’s waits for this file.
if (mayBeLocal(location)) draw();
else void opened.then(draw);

// What is on screen arrives sooner without it; polling serves until the stream is open.
import('./start-later.ts')
  .then(({ startLater }) => startLater(live, apiClient.http, access, queryClient, opened))
  .catch(() => undefined);
