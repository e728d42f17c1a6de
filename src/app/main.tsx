import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '#api/create-query-client.ts';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { createKeyboard } from '#ui/keys/keyboard.ts';
import { createNavigator } from '#ui/navigation/navigator.ts';
import { createPreferenceStore } from '#ui/preferences/preference-store.ts';
import { nextTask } from '#ui/next-task.ts';
import { ZONE_PARAMETER } from '#ui/preferences/use-preferences.tsx';
import { findScreen } from './screens.ts';
import { adoptZone } from './adopt-zone.ts';
import { applyLook } from './apply-look.ts';
import { createPageClock, createPagePace } from './page-clock.ts';
import { createTeller } from './create-teller.ts';
import { openDoor } from './open-door.ts';
import { Providers } from './providers.tsx';
import { Shell } from './shell.tsx';
import '#ui/fonts.css';
import '#ui/tokens.css';
import '#ui/base.css';

// All of the code above has just run for the first time: to start is a task of its own.
await nextTask();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element to draw in.');

// A screen that does not come is told of where it would stand.
findScreen(location.pathname)?.screen.Component.fetch().catch(() => undefined);

const door = openDoor();
const client = createQueryClient({ statusKey: door.queries.desk.status({}).queryKey });
// What nearly every screen asks first need not wait for the screen's code. Where it fails, the screen tells.
client.query(door.queries.desk.products({})).catch(() => undefined);

const preferences = createPreferenceStore(window);
const navigator = createNavigator(window, [ZONE_PARAMETER]);
applyLook(preferences, document.documentElement);
adoptZone(preferences, navigator);
const parts = {
  preferences,
  navigator,
  keyboard: createKeyboard(),
  clock: createPageClock(),
  pace: createPagePace(),
  teller: createTeller(),
  door,
  client,
};

// In steps that the browser can paint and answer between, where a first render would otherwise be one long task.
startTransition(() => {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <Providers {...parts}>
          <Shell />
        </Providers>
      </ErrorBoundary>
    </StrictMode>,
  );
});
