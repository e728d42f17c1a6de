import { useEffect, useRef } from 'react';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { useAnnounce } from '#ui/live-region.tsx';
import { useAddress } from '#ui/navigation/navigation.tsx';
import { NotFound } from './not-found.tsx';
import { findScreen } from './screens.ts';
import styles from './shell.module.css';

/** The screen of the present address. */
export function ScreenOutlet() {
  const { path } = useAddress();
  const found = findScreen(path);
  const name = found?.screen.name ?? 'No such screen';
  const screen = found?.screen.path ?? '';
  const main = useScreenChange(screen, name);
  return (
    <main className={styles['screen']} id="main" ref={main} tabIndex={-1}>
      <ErrorBoundary key={screen} of={path}>
        {found === null ? <NotFound path={path} /> : <found.screen.Component parameters={found.parameters} />}
      </ErrorBoundary>
    </main>
  );
}

/** A new screen is named by the window and told to screen readers, and the keyboard starts at its top. */
function useScreenChange(screen: string, name: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string | null>(null);
  const announce = useAnnounce();
  useEffect(() => {
    document.title = `${name} · Perpdesk`;
    if (shown.current !== null && shown.current !== screen) {
      main.current?.focus({ preventScroll: true });
      main.current?.scrollTo(0, 0);
      announce(name);
    }
    shown.current = screen;
  }, [screen, name, announce]);
  return main;
}
