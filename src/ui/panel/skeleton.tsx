import hidden from '../hidden.module.css';
import styles from './panel.module.css';

/** Only before the first answer; it says so to those who do not see it. */
export function Skeleton() {
  return (
    <div className={styles['skeleton']}>
      <span className={hidden['hidden']}>Reading…</span>
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}
