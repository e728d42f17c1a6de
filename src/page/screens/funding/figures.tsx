import type { ReactNode } from 'react';
import type { Fact } from '#model/format/provenance.ts';
import { Figure } from '#page/kit/figure.tsx';
import perpetual from './perpetual.module.css';

interface FigureFactProps {
  readonly name: string;
  readonly unit: string;
  readonly text: string;
  readonly provenance: () => readonly Fact[];
  /** A remark shown beside the figure. */
  readonly children?: ReactNode;
}

/** A figure in a description list, with its name and unit. */
export function FigureFact({ name, unit, text, provenance, children }: FigureFactProps) {
  return (
    <div>
      <dt>
        {name} <span className={perpetual['faint']}>{unit}</span>
      </dt>
      <dd>
        <Figure text={text} name={`${name}, ${unit}`} provenance={provenance} />
        {children !== undefined && children !== '' && <span className={perpetual['faint']}> {children}</span>}
      </dd>
    </div>
  );
}
