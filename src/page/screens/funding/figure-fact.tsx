import type { ReactNode } from 'react';
import type { Fact } from '#model/format/fact.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import styles from './perpetual.module.css';

interface FigureFactProps {
  readonly name: string;
  readonly unit: string;
  readonly text: string;
  readonly provenance: () => readonly Fact[];
  /** A remark beside it. */
  readonly children?: ReactNode;
}

/** A figure in a description list, under its name and unit. */
export function FigureFact({ name, unit, text, provenance, children }: FigureFactProps) {
  return (
    <div>
      <dt>
        {name} <span className={styles['faint']}>{unit}</span>
      </dt>
      <dd>
        <Figure text={text} name={`${name}, ${unit}`} provenance={provenance} />
        {children !== undefined && children !== '' && <span className={styles['faint']}> {children}</span>}
      </dd>
    </div>
  );
}
