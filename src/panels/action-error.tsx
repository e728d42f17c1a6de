import { ProblemError } from '#api/errors.ts';
import { presentError } from '#api/present-error.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import styles from './action-error.module.css';

/** Why something was not done, with every mistake that the server named. */
export function ActionError({ error }: { readonly error: Error | null }) {
  const mistakes = error instanceof ProblemError ? (error.document.errors ?? []).map(toFieldMistake) : [];
  const shown = error === null ? null : mistakes.length === 0 ? presentError(error) : NOT_ACCEPTED;
  useAnnounced(shown === null ? null : [`${shown.title}.`, shown.detail, ...mistakes.map(({ path, detail }) => `${path} ${detail}.`)].join(' '), true);
  if (shown === null) return null;
  return (
    <div className={styles['failed']}>
      <strong>{shown.title}.</strong> {shown.detail} {shown.advice}
      <Mistakes mistakes={mistakes} />
    </div>
  );
}

const NOT_ACCEPTED = { title: 'Not accepted', detail: 'Correct the following, then try again:', advice: '' } as const;

/** A form has fields and no body, so its mistakes are named as the fields are. */
function toFieldMistake({ path, detail }: MistakesProps['mistakes'][number]): MistakesProps['mistakes'][number] {
  return { path: path.replace(/^\$\.?/, ''), detail };
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
          {path !== '' && <code>{path}</code>} {detail}
        </li>
      ))}
    </ul>
  );
}
