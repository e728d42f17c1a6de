import { useEffect, useRef } from 'react';
import type { DeskMe } from '#contract/desk/access.ts';
import { useAccess } from '#page/client/react/use-access.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { ErrorBoundary } from '#page/kit/error-boundary.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useAddress } from '#page/kit/navigation/navigation.tsx';
import { NotAllowed } from './access/lazy-parts.ts';
import { isUsable, matchScreen, toUsable, type Screen, type ScreenMatch } from './shared/screens.ts';
import styles from './shell.module.css';

export function ScreenOutlet() {
  const { path } = useAddress();
  const desk = useAccess();
  const match = matchScreen(path);
  const name = match?.screen.name ?? 'Page not found';
  const screen = match?.screen.path ?? '';
  const main = useScreenChange(screen, name);
  return (
    <main className={styles['screen']} id="main" ref={main} tabIndex={-1}>
      <ErrorBoundary key={screen} of={path}>
        <Content path={path} match={match} desk={desk} />
      </ErrorBoundary>
    </main>
  );
}

interface ContentProps {
  readonly path: string;
  readonly match: ScreenMatch | null;
  readonly desk: DeskMe | null;
}

function Content({ path, match, desk }: ContentProps) {
  if (match !== null && isUsable(match.screen, desk)) return <match.screen.Component parameters={match.parameters} />;
  // Where nobody signs in, there are no screens about people.
  return match === null || desk === null ? (
    <NotFound path={path} screens={toUsable(desk)} />
  ) : (
    <NotAllowed {...match.screen} />
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

function NotFound({ path, screens }: { readonly path: string; readonly screens: readonly Screen[] }) {
  return (
    <EmptyState title="Page not found" level={1}>
      <p>No screen exists at {path}. Available screens:</p>
      <ul>
        {screens.map(({ name, home }) => (
          <li key={name}>
            <Link to={home}>{name}</Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}
