import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { NoScreens } from './no-screens.tsx';
import styles from './shell.module.css';

/** What stays while screens change: the bar, and the room below it. A screen that breaks takes only itself along. */
export function Shell() {
  return (
    <div className={styles['shell']}>
      <header className={styles['bar']}>
        <a className={styles['name']} href="/">
          Perpdesk
        </a>
      </header>
      <main className={styles['screen']}>
        <ErrorBoundary>
          <NoScreens />
        </ErrorBoundary>
      </main>
    </div>
  );
}
