import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DoorProvider, type Door } from '#api/react.tsx';
import { Complaints } from '#ui/complaint.tsx';
import { NoteProvider } from '#ui/floating/note-context.tsx';
import type { Keyboard } from '#ui/keys/keyboard.ts';
import { KeyboardProvider } from '#ui/keys/use-keys.tsx';
import { LiveRegion } from '#ui/live-region.tsx';
import { NavigationProvider } from '#ui/navigation/navigation.tsx';
import type { Navigator } from '#ui/navigation/navigator.ts';
import { OffersProvider } from '#ui/offers.tsx';
import { TellerProvider, type Teller } from '#ui/panel/teller.tsx';
import type { PreferenceStore } from '#ui/preferences/preference-store.ts';
import { PreferencesProvider } from '#ui/preferences/use-preferences.tsx';
import type { Clock } from '#ui/time/clock.ts';
import type { Pace } from '#ui/time/pace.ts';
import { ClockProvider } from '#ui/time/use-now.tsx';
import { PaceProvider } from '#ui/time/use-trickle.tsx';

interface ProvidersProps {
  readonly preferences: PreferenceStore;
  readonly navigator: Navigator;
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly teller: Teller;
  readonly door: Door;
  readonly client: QueryClient;
  readonly children: ReactNode;
}

/** All that screens reach without being handed it. */
export function Providers({ preferences, navigator, keyboard, clock, pace, teller, door, client, children }: ProvidersProps) {
  return (
    <PreferencesProvider store={preferences}>
      <NavigationProvider navigator={navigator}>
        <KeyboardProvider keyboard={keyboard}>
          <ClockProvider clock={clock}>
            <PaceProvider pace={pace}>
              <DoorProvider door={door} client={client}>
                <TellerProvider teller={teller}>
                  <LiveRegion>
                    <Complaints>
                      <NoteProvider>
                        <OffersProvider>{children}</OffersProvider>
                      </NoteProvider>
                    </Complaints>
                  </LiveRegion>
                </TellerProvider>
              </DoorProvider>
            </PaceProvider>
          </ClockProvider>
        </KeyboardProvider>
      </NavigationProvider>
    </PreferencesProvider>
  );
}
