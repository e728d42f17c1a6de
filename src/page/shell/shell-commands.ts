import { useNavigator } from '#page/kit/navigation.tsx';
import { CHOICES } from '#page/kit/preferences.ts';
import { usePreferences, usePreferenceStore } from '#page/kit/use-preferences.tsx';
import { useCopyLink } from '#page/kit/use-copy-link.ts';
import { useMay } from '#page/client/react/use-api.tsx';
import { useBoundKeys } from '#page/kit/use-keys.tsx';
import { LETTERS } from '#page/kit/keyboard.ts';
import type { Command } from '#page/kit/commands.tsx';

/** Returns the commands of every screen: what its keys do, the theme, a link, and a new rule. */
export function useShellCommands(): readonly Command[] {
  const navigator = useNavigator();
  const mayMakeRules = useMay('operations');
  return [
    ...(mayMakeRules
      ? [
          {
            group: 'Perpdesk',
            label: 'New alert rule',
            remark: '',
            run: () => {
              navigator.go('/rules/new');
            },
          },
        ]
      : []),
    useLinkCommand(),
    ...useThemeCommands(),
    ...useKeyCommands(),
  ];
}

function useLinkCommand(): Command {
  const copyLink = useCopyLink();
  return {
    group: 'Perpdesk',
    label: 'Copy link to this screen',
    remark: '',
    run: () => {
      copyLink();
    },
  };
}

function useThemeCommands(): readonly Command[] {
  const { theme } = usePreferences();
  const store = usePreferenceStore();
  return CHOICES.theme
    .filter((choice) => choice !== theme)
    .map((choice) => ({
      group: 'Perpdesk',
      label: `Theme: ${choice}`,
      remark: '',
      run: () => {
        store.set({ theme: choice });
      },
    }));
}

/** Keys that open the palette itself, or a screen, which is listed already. */
const NEEDLESS = /^(?:Mod\+k|\/|g .)$/;

function useKeyCommands(): readonly Command[] {
  return useBoundKeys().flatMap(({ keys, label, group, run }) =>
    run === undefined || keys === LETTERS || NEEDLESS.test(keys)
      ? []
      : [
          {
            group,
            label,
            remark: keys,
            run: () => {
              run(keys);
            },
          },
        ],
  );
}
