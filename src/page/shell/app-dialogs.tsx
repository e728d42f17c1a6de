import { useEffect, useState } from 'react';
import { lazyOverlay } from '#page/kit/lazy.tsx';

export type AppDialog = 'command-palette' | 'preferences' | 'shortcuts';

const CommandPalette = lazyOverlay(async () => (await import('./command-palette.tsx')).CommandPalette);
const PreferencesDialog = lazyOverlay(async () => (await import('./preferences-dialog.tsx')).PreferencesDialog);
const ShortcutsDialog = lazyOverlay(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

interface AppDialogsProps {
  readonly dialog: AppDialog;
  readonly close: () => void;
  readonly open: (dialog: AppDialog) => void;
}

export function AppDialogs({ dialog, close, open }: AppDialogsProps) {
  switch (dialog) {
    case 'command-palette':
      return <CommandPaletteWithTypeAhead close={close} />;
    case 'preferences':
      return (
        <PreferencesDialog
          close={close}
          showShortcuts={() => {
            open('shortcuts');
          }}
        />
      );
    case 'shortcuts':
      return <ShortcutsDialog close={close} />;
  }
}

function CommandPaletteWithTypeAhead({ close }: Pick<AppDialogsProps, 'close'>) {
  const [text, setText] = useTypeAhead();
  return <CommandPalette close={close} text={text} setText={setText} />;
}

/** Returns the text of the palette's field, including keys typed while the palette's code is still loading. */
function useTypeAhead(): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState('');
  useEffect(() => {
    const buffer = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isInDialog = target instanceof Element && target.closest('[role=dialog]') !== null;
      if (isInDialog || key.length !== 1 || ctrlKey || metaKey || altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      setText((before) => before + key);
    };
    // Listens in the capture phase, to run before the page's own shortcuts.
    addEventListener('keydown', buffer, { capture: true });
    return () => {
      removeEventListener('keydown', buffer, { capture: true });
    };
  }, []);
  return [text, setText];
}
