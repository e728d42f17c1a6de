import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { EditConflict } from '#page/kit/edit-conflict.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ChangeText } from '../history/change-text.tsx';
import styles from './form.module.css';

interface ChangedMeanwhileProps {
  readonly id: string;
  /** The rule that the draft was made of. */
  readonly since: Rule;
  /** Null: it has been deleted. */
  readonly current: Rule | null;
  readonly canSave: boolean;
  readonly overwrite: () => void;
  readonly discard: () => void;
}

/** Who has changed a rule while its form was open, and how. Nothing is lost on either side until the user decides. */
export function ChangedMeanwhile({ id, since, current, canSave, overwrite, discard }: ChangedMeanwhileProps) {
  const { queries } = useRulesApi();
  const last = useQuery(queries.ruleChanges()).data?.value.changes.find(({ rule_id: changed }) => changed === id);
  const title = `This rule was ${current === null ? 'deleted' : 'changed'} while you edited it.`;
  return (
    <EditConflict title={title} own="Your changes are not saved; they are kept in this tab.">
      {last !== undefined && (
        <p>
          By {last.by}, <Timestamp at={last.at} />. <Link to="/rules?show=changes">All changes</Link>
        </p>
      )}
      <ChangeText change={{ before: since, after: current }} />
      <div className={styles['actions']}>
        <button type="button" onClick={discard}>
          {current === null ? 'Discard my changes' : 'Discard mine and reload'}
        </button>
        <button type="button" disabled={!canSave} onClick={overwrite}>
          {current === null ? 'Create it again' : 'Overwrite with mine'}
        </button>
      </div>
    </EditConflict>
  );
}
