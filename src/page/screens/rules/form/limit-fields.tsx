import { ORDER_KINDS } from '#contract/desk/rule-filters.ts';
import { NumberField, SpanField } from './rule-fields.tsx';
import { changeFilter, kindsOf, limitOf, type RuleFieldsProps } from './rule-draft.ts';
import styles from './form.module.css';

/** Edits which kinds of orders the rule is about. */
export function KindField({ draft, change, mistakeOf }: RuleFieldsProps) {
  const kinds = kindsOf(draft);
  const mistake = mistakeOf('filter.kinds');
  return (
    <div className={styles['field']} role="group" aria-label="Kinds of orders">
      <span className={styles['hint']}>Kinds</span>
      <div className={styles['checks']}>
        {ORDER_KINDS.map((kind, index) => (
          <label key={kind}>
            <input
              type="checkbox"
              data-slot={index === 0 ? 'filter.kinds' : undefined}
              checked={kinds.includes(kind)}
              onChange={({ target }) => {
                const next = ORDER_KINDS.filter((one) => (one === kind ? target.checked : kinds.includes(one)));
                change(changeFilter(draft, 'kinds', next.length === ORDER_KINDS.length ? undefined : next));
              }}
            />
            {kind}s
          </label>
        ))}
      </div>
      {mistake !== undefined && (
        <p className={styles['hint']} data-mistake="true">
          {mistake}
        </p>
      )}
    </div>
  );
}

/** Edits the figures beyond which the rule is about a working order. */
export function LimitFields({ draft, change, mistakeOf }: RuleFieldsProps) {
  const put = (name: string) => (value: number | null) => {
    change(changeFilter(draft, name, value ?? undefined));
  };
  return (
    <>
      <SpanField
        label="Older than"
        slot="limits"
        value={limitOf(draft, 'age_over_seconds')}
        onChange={put('age_over_seconds')}
        mistake={mistakeOf('filter.age_over_seconds')}
      />
      <NumberField
        label="Farther from the market than"
        unit="%"
        value={limitOf(draft, 'distance_over_percent')}
        onChange={put('distance_over_percent')}
        mistake={mistakeOf('filter.distance_over_percent')}
      />
      <NumberField
        label="Underlying notional over"
        unit="USD"
        value={limitOf(draft, 'notional_over_usd')}
        onChange={put('notional_over_usd')}
        mistake={mistakeOf('filter.notional_over_usd')}
      />
    </>
  );
}
