import { useMemo } from 'react';
import { useAccess } from '#page/client/react/use-access.ts';
import type { KeyBinding } from '#page/kit/keys/keyboard.ts';
import { useKeys } from '#page/kit/keys/use-keys.tsx';
import { useNavigator } from '#page/kit/navigation/navigation.tsx';
import type { AppDialog } from './app-dialogs.tsx';
import { toUsable } from './shared/screens.ts';

export function useGlobalShortcuts(open: (dialog: AppDialog) => void): void {
  const navigator = useNavigator();
  const desk = useAccess();
  const bindings = useMemo((): readonly KeyBinding[] => {
    const opens = (keys: string, label: string, dialog: AppDialog): KeyBinding => ({
      keys,
      label,
      group: 'Global',
      run: () => {
        open(dialog);
      },
    });
    return [
      opens('Mod+k', 'Search products, screens and commands', 'command-palette'),
      {
        ...opens('/', 'Search products, screens and commands (on screens without a filter)', 'command-palette'),
        yields: true,
      },
      opens('?', 'Keyboard shortcuts', 'shortcuts'),
      opens(',', 'Preferences', 'preferences'),
      ...toUsable(desk).map(({ name, home, key }) => ({
        keys: `g ${key}`,
        label: name,
        group: 'Go to',
        run: () => {
          navigator.go(home);
        },
      })),
    ];
  }, [navigator, open, desk]);
  useKeys(bindings);
}
