import { useEffect, useRef } from 'react';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { useAnnounce } from '#ui/live-region.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { useAddress } from '#ui/navigation/navigation.tsx';
import { matchScreen, SCREENS } from './screens.ts';
import styles from './shell.module.css';

export function ScreenOutlet() {
  const { path } = useAddress();
  const match = matchScreen(path);
  const name = match?.screen.name ?? 'Page not found';
  const screen = match?.screen.path ?? '';
  const main = useScreenChange(screen, name);
  return (
    <main className={styles['screen']} id="main" ref={main} tabIndex={-1}>
      <ErrorBoundary key={screen} of={path}>
        {match === null ? <NotFound path={path} /> : <match.screen.Component parameters={match.parameters} />}
      </ErrorBoundary>
    </main>
  );
}

/** Names a new screen to screen readers, and puts the focus at its top. */
function useScreenChange(screen: string, name: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string | null>(null);
  const announce = useAnnounce();
  useEffect(() => {
    if (shown.current !== null && shown.current !== screen) {
      main.current?.focus({ preventScroll: true });
      main.current?.scrollTo(0, 0);
      announce(name);
    }
    shown.current = screen;
  }, [screen, name, announce]);
  return main;
}

function NotFound({ path }: { readonly path: string }) {
  return (
    <EmptyState title="Page not found" level={1}>
      <p>No screen exists at {path}. Available screens:</p>
      <ul>
        {SCREENS.map(({ name, home }) => (
          <li key={name}>
            <Link to={home}>{name}</Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}
