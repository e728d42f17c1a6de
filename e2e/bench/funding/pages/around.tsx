import type { ReactNode } from 'react';
import { TooltipProvider } from '../../../../src/ui/tooltip/use-tooltip.tsx';
import { createKeyboard } from '../../../../src/ui/keys/keyboard.ts';
import { KeyboardProvider } from '../../../../src/ui/keys/use-keys.tsx';
import { LiveRegion } from '../../../../src/ui/live-region.tsx';
import { NavigationProvider } from '../../../../src/ui/navigation/navigation.tsx';
import { createNavigator } from '../../../../src/ui/navigation/navigator.ts';
import { createPreferenceStore } from '../../../../src/ui/preferences/preferences.ts';
import { PreferencesProvider } from '../../../../src/ui/preferences/use-preferences.tsx';
import '../../../../src/ui/tokens.css';

const [preferences, navigator, keyboard] = [
  createPreferenceStore(window),
  createNavigator(window, []),
  createKeyboard(),
];

/** The providers that parts of the screen need. */
export function Around({ children }: { readonly children: ReactNode }) {
  return (
    <PreferencesProvider store={preferences}>
      <NavigationProvider navigator={navigator}>
        <KeyboardProvider keyboard={keyboard}>
          <LiveRegion>
            <TooltipProvider>{children}</TooltipProvider>
          </LiveRegion>
        </KeyboardProvider>
      </NavigationProvider>
    </PreferencesProvider>
  );
}
