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
export function PlainFigure({ quantity, format }: { readonly quantity: Quantity | null; readonly format?: NumberFormat }) {
  if (isWithheld(quantity)) return <Withheld />;
  return <>{quantity === null ? NO_VALUE : formatQuantity(quantity, format)}</>;
}

/** A figure that leads to where it is told at length. */
export function FigureLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link to={to} className={styles['figure']} tabIndex={-1}>
      {children}
    </Link>
  );
}

export function Withheld() {
  return <span className={styles['withheld']}>withheld</span>;
}

/** A figure with a direction, which its sign and arrow tell as well as its colour. */
export function DirectedFigure({ quantity, text }: { readonly quantity: Quantity | null; readonly text: string }) {
  if (isWithheld(quantity)) return <Withheld />;
  const value = quantity?.value ?? null;
  if (value === null) return <>{NO_VALUE}</>;
  const direction = value.isZero() ? 'unchanged' : value.isNegative() ? 'down' : 'up';
  return (
    <span className={styles['directed']} data-direction={direction}>
      {text}
    </span>
  );
}

/** The arrow stands in a column of its own, before the number. */
export function Arrow({ quantity }: { readonly quantity: Quantity | null }) {
  const value = quantity?.value ?? null;
  if (value === null || value.isZero()) return null;
  return <span aria-hidden="true" className={styles['directed']} data-direction={value.isNegative() ? 'down' : 'up'}>{value.isNegative() ? '▼' : '▲'} </span>;
}
