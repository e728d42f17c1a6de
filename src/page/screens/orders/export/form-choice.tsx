import { useState, useSyncExternalStore } from 'react';
import { Segmented } from '#page/kit/segmented.tsx';
import { createStoredValue } from '#page/kit/stored-value.ts';
import styles from '../shared/orders.module.css';
import type { CsvForm } from '#model/format/csv.ts';

const FORMS = [
  ['full', 'All'],
  ['figures', 'Figures only'],
] as const satisfies readonly (readonly [CsvForm, string])[];

const REMARKS: Readonly<Record<CsvForm, string>> = {
  full: 'All raw fields, USD values with their conversion factors, and where each row was read.',
  figures: 'Prices, quantities, USD values, owners and times, without conversion factors and endpoints.',
};

/** Returns the chosen set of columns for exported files, remembered in this browser. */
export function useCsvForm(): readonly [form: CsvForm, set: (form: CsvForm) => void] {
  const [store] = useState(() =>
    createStoredValue(window, 'perpdesk.orders.csv', { parse: parseForm, format: (form) => form }),
  );
  return [useSyncExternalStore(store.subscribe, store.read), store.write];
}

function parseForm(text: string | null): CsvForm {
  return FORMS.find(([form]) => form === text)?.[0] ?? 'full';
}

interface FormChoiceProps {
  readonly form: CsvForm;
  readonly set: (form: CsvForm) => void;
}

export function FormChoice({ form, set }: FormChoiceProps) {
  return (
    <>
      <Segmented label="Columns" labelShown choices={FORMS} value={form} onChange={set} />
      <p className={styles['quiet']}>{REMARKS[form]}</p>
    </>
  );
}
