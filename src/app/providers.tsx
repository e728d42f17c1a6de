import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProvider, type ApiClient } from '#api/react/use-api.tsx';
import { ToastProvider } from '#ui/toast.tsx';
import { TooltipProvider } from '#ui/tooltip/use-tooltip.tsx';
import type { Keyboard } from '#ui/keys/keyboard.ts';
import { KeyboardProvider } from '#ui/keys/use-keys.tsx';
import { LiveRegion } from '#ui/live-region.tsx';
import { NavigationProvider } from '#ui/navigation/navigation.tsx';
import type { Navigator } from '#ui/navigation/navigator.ts';
import { CommandsProvider } from '#ui/commands.tsx';
import type { PreferenceStore } from '#ui/preferences/preferences.ts';
import { PreferencesProvider } from '#ui/preferences/use-preferences.tsx';
import type { Clock } from '#ui/time/clock.ts';
import type { Throttle } from '#ui/time/throttle.ts';
import { ClockProvider } from '#ui/time/use-now.tsx';
import { ThrottleProvider } from '#ui/time/use-staggered-count.tsx';

interface ProvidersProps {
  readonly preferences: PreferenceStore;
  readonly navigator: Navigator;
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  readonly throttle: Throttle;
  readonly apiClient: ApiClient;
  readonly queryClient: QueryClient;
  readonly children: ReactNode;
}

export function Providers({
  preferences,
  navigator,
  keyboard,
  clock,
  throttle,
  apiClient,
  queryClient,
  children,
}: ProvidersProps) {
  return (
    <PreferencesProvider store={preferences}>
      <NavigationProvider navigator={navigator}>
        <KeyboardProvider keyboard={keyboard}>
          <ClockProvider clock={clock}>
            <ThrottleProvider throttle={throttle}>
              <ApiProvider apiClient={apiClient} queryClient={queryClient}>
                <LiveRegion>
                  <ToastProvider>
                    <TooltipProvider>
                      <CommandsProvider>{children}</CommandsProvider>
                    </TooltipProvider>
                  </ToastProvider>
                </LiveRegion>
              </ApiProvider>
            </ThrottleProvider>
          </ClockProvider>
        </KeyboardProvider>
      </NavigationProvider>
    </PreferencesProvider>
  );
}
