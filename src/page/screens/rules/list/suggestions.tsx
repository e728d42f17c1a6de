import { useAction } from '#page/client/react/use-rules-api.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { RULE_SUGGESTIONS } from '#contract/desk/rule-suggestions.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import { Link } from '#page/kit/navigation/link.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { SeverityMark } from '../alerts/severity-mark.tsx';
import styles from '../shared/rules.module.css';

/** Rules that most desks want in one form or another. None is on by itself. */
export function Suggestions({ rules }: { readonly rules: readonly Rule[] }) {
  const { mutate, error, isPending } = useAction('putRule');
  const known = new Set(rules.map(({ id }) => id));
  const left = RULE_SUGGESTIONS.filter(({ id }) => !known.has(id));
  if (left.length === 0) return null;
  const columns: readonly Column<Rule>[] = [
    {
      name: 'Suggestion',
      cell: (rule) => (
        <div className={styles['rule']}>
          <b>{rule.name}</b>
          <span>{describeRule(rule)}</span>
        </div>
      ),
    },
    { name: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
    {
      name: 'Actions',
      pinned: 'end',
      cell: (rule) => (
        <span className={styles['actions']}>
          <button
            type="button"
            disabled={isPending}
            aria-label={`Turn on ${rule.name}`}
            onClick={() => {
              mutate({ body: { rule: { ...rule, enabled: true } } });
            }}
          >
            Turn on
          </button>
          <Link aria-label={`Adapt ${rule.name}`} to={`/rules/new?from=${rule.id}`}>
            Adapt…
          </Link>
        </span>
      ),
    },
  ];
  return (
    <section className={styles['section']} aria-labelledby="suggestions">
      <header className={styles['header']}>
        <h2 id="suggestions">Suggestions</h2>
      </header>
      <ActionError error={error} />
      <Table caption="Suggestions" columns={columns} rows={left} keyOf={({ id }) => id} />
    </section>
  );
}
