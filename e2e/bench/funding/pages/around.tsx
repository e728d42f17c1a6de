import type { ReactNode } from 'react';
import { TooltipProvider } from '../../../../src/page/kit/use-tooltip.tsx';
import { CommandsProvider } from '../../../../src/page/kit/commands.tsx';
import { createKeyboard } from '../../../../src/page/kit/keyboard.ts';
import { KeyboardProvider } from '../../../../src/page/kit/use-keys.tsx';
import { LiveRegion } from '../../../../src/page/kit/live-region.tsx';
import { NavigationProvider } from '../../../../src/page/kit/navigation.tsx';
import { createNavigator } from '../../../../src/page/kit/navigator.ts';
import { createPreferenceStore } from '../../../../src/page/kit/preferences.ts';
import { PreferencesProvider } from '../../../../src/page/kit/use-preferences.tsx';
import '../../../../src/page/kit/tokens.css';

const [preferences, navigator, keyboard] = [
  createPreferenceStore(window),
  createNavigator(window, []),
  createKeyboard(),
];

/** Wraps a part in the providers that parts of the screen need. */
export function Around({ children }: { readonly children: ReactNode }) {
  return (
    <PreferencesProvider store={preferences}>
      <NavigationProvider navigator={navigator}>
        <KeyboardProvider keyboard={keyboard}>
          <LiveRegion>
            <CommandsProvider>
              <TooltipProvider>{children}</TooltipProvider>
            </CommandsProvider>
          </LiveRegion>
        </KeyboardProvider>
      </NavigationProvider>
    </PreferencesProvider>
  );
}
