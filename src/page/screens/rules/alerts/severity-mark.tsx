import styles from './alerts.module.css';

/** A severity with a mark of its own shape, so that it does not depend on colour. */
export function SeverityMark({ severity, isQuiet = false }: { readonly severity: string; readonly isQuiet?: boolean }) {
  return (
    <span className={styles['severity']} data-severity={severity} data-quiet={isQuiet}>
      {severity}
    </span>
  );
}
