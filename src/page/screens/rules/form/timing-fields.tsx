import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findMeasure } from '#contract/desk/rule-measures.ts';
import { type RuleHours, WEEKDAYS } from '#contract/desk/rule-timing.ts';
import { listSessionHours } from '#model/products/session-hours.ts';
import { countOf } from '#model/format/count.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { TextField } from '#page/kit/field.tsx';
import { NumberField, SpanField, toNumber } from './rule-fields.tsx';
import { changeField, isOfOne, type RuleDraft, type RuleFieldsProps } from './rule-draft.ts';
import styles from './form.module.css';

/** Edits what most rules do without: when an alert ends, how often it notifies, and at which hours. */
export function TimingFields(props: RuleFieldsProps) {
  const { draft, change, mistakeOf } = props;
  const put = (field: string) => (value: number | null) => {
    change(changeField(draft, field, value ?? undefined));
  };
  // Emptying the last field must not fold them.
  const [isOpen] = useState(() => isTimed(draft));
  return (
    <details open={isOpen}>
      <summary>More: when an alert ends, how often it notifies, hours</summary>
      <div className={styles['group']}>
        <ClearField {...props} />
        <SpanField
          label="Keep firing for"
          slot="keep_seconds"
          value={toNumber(draft['keep_seconds'])}
          onChange={put('keep_seconds')}
          mistake={mistakeOf('keep_seconds')}
          hint="After the condition last held."
        />
        <SpanField
          label="Notify at most once in"
          slot="at_most_every_seconds"
          value={toNumber(draft['at_most_every_seconds'])}
          onChange={put('at_most_every_seconds')}
          mistake={mistakeOf('at_most_every_seconds')}
          hint="For an alert that ends and begins again."
        />
        <HoursFields {...props} />
      </div>
    </details>
  );
}

/** Whether the fields are shown from the beginning, because the stored rule uses them. */
function isTimed(draft: RuleDraft): boolean {
  return ['clear_value', 'keep_seconds', 'at_most_every_seconds', 'hours'].some((field) => draft[field] !== undefined);
}

function ClearField({ draft, change, mistakeOf }: RuleFieldsProps) {
  const unit = findMeasure(draft.about, draft.measure)?.unit ?? null;
  if (unit === null || isOfOne(draft, draft.about, draft.measure)) return null;
  const common = {
    label: 'Clears at',
    slot: 'clear_value',
    value: toNumber(draft['clear_value']),
    mistake: mistakeOf('clear_value'),
    hint: `Or ${draft['comparison'] === 'under' ? 'over' : 'under'}. Empty: at the value itself.`,
    onChange: (value: number | null) => {
      change(changeField(draft, 'clear_value', value ?? undefined));
    },
  };
  return unit === 'seconds' ? (
    <SpanField {...common} />
  ) : (
    <NumberField {...common} unit={unit === 'percent' ? '%' : unit} />
  );
}

const OFFICE: RuleHours = {
  zone: 'America/Chicago',
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
  from: '08:30',
  to: '16:00',
  except_holidays: true,
};

function HoursFields({ draft, change, mistakeOf }: RuleFieldsProps) {
  const hours = draft['hours'] as RuleHours | undefined;
  const set = (next: RuleHours | undefined): void => {
    change(changeField(draft, 'hours', next));
  };
  return (
    <div className={`${styles['wide'] ?? ''} ${styles['group'] ?? ''}`} role="group" aria-label="Hours">
      <div className={`${styles['wide'] ?? ''} ${styles['checks'] ?? ''}`}>
        <label>
          <input
            type="checkbox"
            data-slot="hours"
            checked={hours !== undefined}
            onChange={({ target }) => {
              set(target.checked ? OFFICE : undefined);
            }}
          />
          Evaluate only at certain hours
        </label>
      </div>
      {hours !== undefined && <HoursEditor hours={hours} set={set} mistakeOf={mistakeOf} />}
    </div>
  );
}

interface HoursEditorProps extends Pick<RuleFieldsProps, 'mistakeOf'> {
  readonly hours: RuleHours;
  readonly set: (hours: RuleHours) => void;
}

function HoursEditor({ hours, set, mistakeOf }: HoursEditorProps) {
  const mistake = mistakeOf('hours.days');
  return (
    <>
      {(
        [
          ['from', 'From'],
          ['to', 'To'],
          ['zone', 'Time zone'],
        ] as const
      ).map(([field, label]) => (
        <TextField
          key={field}
          label={label}
          value={hours[field]}
          onChange={(value) => {
            set({ ...hours, [field]: value });
          }}
          mistake={mistakeOf(`hours.${field}`)}
        />
      ))}
      <div className={styles['wide']}>
        <div className={styles['checks']} role="group" aria-label="Days">
          {WEEKDAYS.map((day) => (
            <label key={day}>
              <input
                type="checkbox"
                checked={hours.days.includes(day)}
                onChange={({ target }) => {
                  set({
                    ...hours,
                    days: WEEKDAYS.filter((one) => (one === day ? target.checked : hours.days.includes(one))),
                  });
                }}
              />
              {day}
            </label>
          ))}
        </div>
        {mistake !== undefined && (
          <p className={styles['hint']} data-mistake="true">
            {mistake}
          </p>
        )}
      </div>
      <HolidayField hours={hours} set={set} />
      <SessionHours hours={hours} set={set} />
    </>
  );
}

function HolidayField({ hours, set }: Pick<HoursEditorProps, 'hours' | 'set'>) {
  const known = useKnownHolidays();
  return (
    <div className={`${styles['wide'] ?? ''} ${styles['checks'] ?? ''}`}>
      <label>
        <input
          type="checkbox"
          checked={hours.except_holidays}
          onChange={({ target }) => {
            set({ ...hours, except_holidays: target.checked });
          }}
        />
        Except on holidays
      </label>
      <p className={styles['hint']}>
        {known === null
          ? 'Holidays are unknown: this Perpdesk has no file of them (DESK_HOLIDAYS_FILE).'
          : `${countOf(known, 'day')} in the file of this Perpdesk. Hours begin on none of them.`}
      </p>
    </div>
  );
}

/** Returns the number of holidays; null if they are unknown. */
export function useKnownHolidays(): number | null {
  const { queries } = useRulesApi();
  return useQuery(queries.alerts()).data?.value.holidays ?? null;
}

/** Offers the daily times that the exchange publishes in its specifications. */
function SessionHours({ hours, set }: Pick<HoursEditorProps, 'hours' | 'set'>) {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({})).data?.value.products;
  const sessions = products === undefined ? [] : listSessionHours(products);
  if (sessions.length === 0) return null;
  return (
    <div className={`${styles['wide'] ?? ''} ${styles['checks'] ?? ''}`} role="group" aria-label="Sessions">
      <span className={styles['hint']}>As the exchange’s sessions, in Chicago:</span>
      {sessions.map(({ from, to, count }) => (
        <button
          key={`${from} ${to}`}
          type="button"
          onClick={() => {
            set({ ...hours, zone: OFFICE.zone, from, to });
          }}
        >
          {from} to {to} ({countOf(count, 'product')})
        </button>
      ))}
    </div>
  );
}
