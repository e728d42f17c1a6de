import { ProblemError } from '#page/client/errors.ts';
import { presentError, type PresentedError } from '#page/client/present-error.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';
import styles from './action-error.module.css';

/** The reason why an action failed, with every mistake that the server named. */
export function ActionError({ error }: { readonly error: Error | null }) {
  const { title, detail, advice, mistakes } = error === null ? NOTHING : present(error);
  useAnnounced(
    error === null
      ? null
      : [`${title}.`, detail, ...mistakes.map((mistake) => `${mistake.path} ${mistake.detail}.`)].join(' '),
    true,
  );
  if (error === null) return null;
  return (
    <div className={styles['failed']}>
      <strong>{title}.</strong> {detail} {advice}
      <Mistakes mistakes={mistakes} />
    </div>
  );
}

const NOTHING = { title: '', detail: '', advice: '', mistakes: [] } as const;

function present(error: Error): Pick<PresentedError, 'title' | 'detail' | 'advice'> & MistakesProps {
  const { errors = [], detail } = error instanceof ProblemError ? error.document : NO_ERRORS;
  if (errors.length === 0) return { ...presentError(error), mistakes: [] };
  const accepted = { title: 'Not accepted', advice: '' };
  // If the detail names no place in the body, it already describes the one mistake.
  if (errors.length === 1 && !detail.includes('$')) return { ...accepted, detail, mistakes: [] };
  return { ...accepted, detail: 'Correct the following, then try again:', mistakes: errors.map(toFieldMistake) };
}

const NO_ERRORS = { errors: [], detail: '' } as const;

/** Names a mistake’s place as the form’s fields are named, because users see fields, not a request body. */
function toFieldMistake({ path, detail }: MistakesProps['mistakes'][number]): MistakesProps['mistakes'][number] {
  return { path: path.replace(/^\$\.?/, ''), detail };
}

interface MistakesProps {
  readonly mistakes: readonly { readonly path: string; readonly detail: string }[];
}

/** All mistakes, each with its place. */
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
