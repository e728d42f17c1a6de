import { useMemo } from 'react';
import type { KeyBinding } from '#ui/keys/keyboard.ts';
import { useKeys } from '#ui/keys/use-keys.tsx';
import { useNavigator } from '#ui/navigation/navigation.tsx';
import type { Overlay } from './overlays.tsx';
import { SCREENS } from './screens.ts';

/** The keys that hold on every screen. */
export function useShellKeys(open: (overlay: Overlay) => void): void {
  const navigator = useNavigator();
  const bindings = useMemo((): readonly KeyBinding[] => {
    const opens = (keys: string, does: string, overlay: Overlay): KeyBinding => ({
      keys,
      does,
      group: 'Everywhere',
      run: () => {
        open(overlay);
      },
    });
    return [
      opens('Mod+k', 'Find a screen or product', 'palette'),
      { ...opens('/', 'The same, where the screen has no filter of its own', 'palette'), yields: true },
      opens('?', 'These keys', 'keys'),
      opens(',', 'Preferences', 'settings'),
      ...SCREENS.map(({ name, home, key }) => ({
        keys: `g ${key}`,
        does: name,
        group: 'Go to',
        run: () => {
          navigator.go(home);
        },
      })),
    ];
  }, [navigator, open]);
  useKeys(bindings);
}
