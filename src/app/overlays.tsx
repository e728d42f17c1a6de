import { laterOver } from '#ui/later.tsx';
import { useTypedAhead } from './palette/use-typed-ahead.ts';

/** What opens over the page. */
export type Overlay = 'palette' | 'settings' | 'keys';

const Palette = laterOver(async () => (await import('./palette/palette.tsx')).Palette);
const Settings = laterOver(async () => (await import('./settings.tsx')).Settings);
const KeySheet = laterOver(async () => (await import('./key-sheet.tsx')).KeySheet);

interface OverlaysProps {
  readonly overlay: Overlay;
  readonly close: () => void;
  /** Something else in its place. */
  readonly open: (overlay: Overlay) => void;
}

export function Overlays({ overlay, close, open }: OverlaysProps) {
  switch (overlay) {
    case 'palette':
      return <PaletteInTime close={close} />;
    case 'settings':
      return (
        <Settings
          close={close}
          showKeys={() => {
            open('keys');
          }}
        />
      );
    case 'keys':
      return <KeySheet close={close} />;
  }
}

function PaletteInTime({ close }: Pick<OverlaysProps, 'close'>) {
  const [text, setText] = useTypedAhead();
  return <Palette close={close} text={text} setText={setText} />;
}
