import {
  FUNDING_SIDES,
  type FundingSide,
  RATE_FORM_LABELS,
  RATE_FORMS,
  type RateForm,
  SIDE_LABELS,
} from '#model/funding/funding-rate.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import styles from './funding.module.css';

const BASES = RATE_FORMS.map((form) => [form, RATE_FORM_LABELS[form].name] as const);
const SIDE_NAMES: Readonly<Record<FundingSide, string>> = {
  market: 'Market',
  long: 'Long position',
  short: 'Short position',
};
const SIDES = FUNDING_SIDES.map((side) => [side, SIDE_NAMES[side]] as const);

interface ControlProps<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
}

export function RateBasisControl({ value, onChange }: ControlProps<RateForm>) {
  return <Segmented label="Rate unit" choices={BASES} value={value} onChange={onChange} />;
}

export function SignConventionControl({ value, onChange }: ControlProps<FundingSide>) {
  return (
    <>
      <Segmented label="Sign convention" choices={SIDES} value={value} onChange={onChange} />
      <strong className={styles['side']} data-side={value}>
        {SIDE_LABELS[value]}
      </strong>
    </>
  );
}
