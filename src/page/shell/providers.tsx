import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProvider, type ApiClient } from '#page/client/react/use-api.tsx';
import { ToastProvider } from '#page/kit/toast.tsx';
import { TooltipProvider } from '#page/kit/use-tooltip.tsx';
import type { Keyboard } from '#page/kit/keyboard.ts';
import { KeyboardProvider } from '#page/kit/use-keys.tsx';
import { LiveRegion } from '#page/kit/live-region.tsx';
import { NavigationProvider } from '#page/kit/navigation.tsx';
import type { Navigator } from '#page/kit/navigator.ts';
import { CommandsProvider } from '#page/kit/commands.tsx';
import type { PreferenceStore } from '#page/kit/preferences.ts';
import { PreferencesProvider } from '#page/kit/use-preferences.tsx';
import type { Clock } from '#model/tables/clock.ts';
import { ClockProvider } from '#page/kit/time/use-now.tsx';

interface ProvidersProps {
  readonly preferences: PreferenceStore;
  readonly navigator: Navigator;
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  readonly apiClient: ApiClient;
  readonly queryClient: QueryClient;
  readonly children: ReactNode;
}

export function Providers({
  preferences,
  navigator,
  keyboard,
  clock,
  apiClient,
  queryClient,
  children,
}: ProvidersProps) {
  return (
    <PreferencesProvider store={preferences}>
      <NavigationProvider navigator={navigator}>
        <KeyboardProvider keyboard={keyboard}>
          <ClockProvider clock={clock}>
            <ApiProvider apiClient={apiClient} queryClient={queryClient}>
              <LiveRegion>
                <ToastProvider>
                  <TooltipProvider>
                    <CommandsProvider>{children}</CommandsProvider>
                  </TooltipProvider>
                </ToastProvider>
              </LiveRegion>
            </ApiProvider>
          </ClockProvider>
        </KeyboardProvider>
      </NavigationProvider>
    </PreferencesProvider>
  );
}
