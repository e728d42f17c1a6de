import type { ReactNode } from 'react';
import { formatQuantity } from '#domain/format-quantity.ts';
import { NO_VALUE, type NumberFormat } from '#domain/format-number.ts';
import type { Quantity } from '#domain/quantity.ts';
import { Link } from '#ui/navigation/link.tsx';
import styles from './markets-screen.module.css';

export function isWithheld(quantity: Quantity | null): boolean {
  return quantity !== null && quantity.withheld !== null;
}

/** A figure, its absence, or the word that it is withheld: why is in its note. */
export function plainFigure(quantity: Quantity | null, format?: NumberFormat): ReactNode {
  if (isWithheld(quantity)) return withheld;
  return quantity === null ? NO_VALUE : formatQuantity(quantity, format);
}

/** A figure that leads to where it is told at length. */
export function figureLink(to: string, figure: ReactNode): ReactNode {
  return (
    <Link to={to} className={styles['figure']} tabIndex={-1}>
      {figure}
    </Link>
  );
}

export const withheld = <span className={styles['withheld']}>withheld</span>;

/** A figure with a direction, which its sign and arrow tell as well as its colour. */
export function directedFigure(quantity: Quantity | null, text: string): ReactNode {
  if (isWithheld(quantity)) return withheld;
  const value = quantity?.value ?? null;
  if (value === null) return NO_VALUE;
  const direction = value.isZero() ? 'unchanged' : value.isNegative() ? 'down' : 'up';
  return (
    <span className={styles['directed']} data-direction={direction}>
      {text}
    </span>
  );
}

/** The arrow stands in a column of its own, before the number. */
export function arrowOf(quantity: Quantity | null): ReactNode {
  const value = quantity?.value ?? null;
  if (value === null || value.isZero()) return null;
  return <span aria-hidden="true" className={styles['directed']} data-direction={value.isNegative() ? 'down' : 'up'}>{value.isNegative() ? '▼' : '▲'} </span>;
}
