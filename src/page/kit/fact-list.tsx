import type { ReactNode } from 'react';
import type { Fact as TextFact } from '#model/format/provenance.ts';
import styles from './fact-list.module.css';

export type Fact = TextFact<ReactNode>;

/** Names and values in two columns. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ name, value, code = false }, index) => (
        <div key={index} className={styles['fact']}>
          <dt>{name}</dt>
          <dd className={code ? styles['code'] : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
