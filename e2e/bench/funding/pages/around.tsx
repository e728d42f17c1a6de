import type { ReactNode } from 'react';
import { TooltipProvider } from '../../../../src/page/kit/tooltip/use-tooltip.tsx';
import { createKeyboard } from '../../../../src/page/kit/keys/keyboard.ts';
import { KeyboardProvider } from '../../../../src/page/kit/keys/use-keys.tsx';
import { LiveRegion } from '../../../../src/page/kit/live-region.tsx';
import { NavigationProvider } from '../../../../src/page/kit/navigation/navigation.tsx';
import { createNavigator } from '../../../../src/page/kit/navigation/navigator.ts';
import { createPreferenceStore } from '../../../../src/page/kit/preferences/preferences.ts';
import { PreferencesProvider } from '../../../../src/page/kit/preferences/use-preferences.tsx';
import '../../../../src/page/kit/tokens.css';

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
