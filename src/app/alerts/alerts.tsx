import { useEffect, useState } from 'react';
import { lazy } from '#ui/lazy.tsx';
import { Link } from '#ui/navigation/link.tsx';
import styles from './alerts.module.css';

const link = (
  <Link className={styles['link']} to="/rules">
    Alerts
  </Link>
);
const AlertBadge = lazy(async () => (await import('./alert-badge.tsx')).AlertBadge, link);

/** The first screen comes first: until then, a link leads to the alerts. */
export function Alerts() {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setDue(true);
    }, 1_000);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return <span>{isDue ? <AlertBadge /> : link}</span>;
}
