import hidden from '#page/kit/hidden.module.css';
import styles from './panel.module.css';

/** Shown until the first response. */
export function Skeleton() {
  return (
    <div className={styles['skeleton']}>
      <span className={hidden['hidden']}>Loading…</span>
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}
