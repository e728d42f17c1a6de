import { lazy } from 'react';

/** What opens over the page. */
export type Overlay = 'palette' | 'settings' | 'keys';

const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }));
const Settings = lazy(async () => ({ default: (await import('./settings.tsx')).Settings }));
const KeySheet = lazy(async () => ({ default: (await import('./key-sheet.tsx')).KeySheet }));

interface OverlaysProps {
  readonly overlay: Overlay;
  readonly close: () => void;
}

export function Overlays({ overlay, close }: OverlaysProps) {
  switch (overlay) {
    case 'palette':
      return <Palette close={close} />;
    case 'settings':
      return <Settings close={close} />;
    case 'keys':
      return <KeySheet close={close} />;
  }
}
