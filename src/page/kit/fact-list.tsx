import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  /** Raw text of the exchange, in a monospaced font. */
  readonly code?: boolean;
}

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
