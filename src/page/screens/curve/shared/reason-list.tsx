import styles from './curve.module.css';

interface ReasonListProps {
  readonly label: string;
  /** Sentences; each is shown once. */
  readonly reasons: readonly (string | null)[];
}

/** Says in sentences why figures of a table are missing. */
export function ReasonList({ label, reasons }: ReasonListProps) {
  const sentences = [...new Set(reasons.filter((reason) => reason !== null))];
  return (
    sentences.length > 0 && (
      <ul className={styles['gaps']} aria-label={label}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    )
  );
}
