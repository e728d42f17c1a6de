import { ProblemError } from '#api/errors.ts';
import { presentError } from '#api/present-error.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import styles from './action-error.module.css';

/** Why something was not done, with every mistake that the server named. */
export function ActionError({ error }: { readonly error: Error | null }) {
  const shown = error === null ? null : presentError(error);
  useAnnounced(shown === null ? null : `${shown.title}. ${shown.detail}`, true);
  if (shown === null) return null;
  const mistakes = error instanceof ProblemError ? (error.document.errors ?? []) : [];
  return (
    <div className={styles['failed']}>
      <strong>{shown.title}.</strong> {shown.detail} {shown.advice}
      <Mistakes mistakes={mistakes} />
    </div>
  );
}

interface MistakesProps {
  readonly mistakes: readonly { readonly path: string; readonly detail: string }[];
}

/** All mistakes at once, each with its place. */
export function Mistakes({ mistakes }: MistakesProps) {
  if (mistakes.length === 0) return null;
  return (
    <ul className={styles['mistakes']} aria-label="Mistakes">
      {mistakes.map(({ path, detail }) => (
        <li key={path}>
          <code>{path}</code> {detail}
        </li>
      ))}
    </ul>
  );
}
