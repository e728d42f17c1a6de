import { useEffect, useState } from 'react';
import { lazy } from '#page/kit/lazy.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import styles from './alerts.module.css';

const AlertBadge = lazy(async () => (await import('./alert-badge.tsx')).AlertBadge);

/** The first screen comes first. */
const FETCH_AFTER_MS = 1_000;
const FETCH_AGAIN_AFTER_MS = 5_000;

/** A link leads to the alerts until the badge has loaded. Where it does not load, nobody would know that there are any. */
export function Alerts() {
  const [text, setText] = useState<string | null>('Alerts');
  useEffect(() => {
    let timer = setTimeout(load, FETCH_AFTER_MS);
    function load(): void {
      AlertBadge.fetch().then(
        () => {
          setText(null);
        },
        () => {
          setText('Alerts unknown');
          timer = setTimeout(load, FETCH_AGAIN_AFTER_MS);
        },
      );
    }
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <span>
      {text === null ? (
        <AlertBadge />
      ) : (
        <Link className={styles['link']} to="/rules">
          {text}
        </Link>
      )}
    </span>
  );
}
