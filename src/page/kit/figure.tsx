import type { KeyboardEvent } from 'react';
import type { Fact } from '#model/format/provenance.ts';
import { FactList } from './fact-list.tsx';
import { useTooltip } from './use-tooltip.tsx';
import { useSingleKeys } from './use-preferences.tsx';
import styles from './figure.module.css';

interface FigureProps {
  readonly text: string;
  /** Title of the tooltip. */
  readonly name: string;
  /** Computed only when the tooltip opens. */
  readonly provenance: () => readonly Fact[];
}

/** A figure whose provenance opens in a tooltip, by a click, `i` or Enter. */
export function Figure({ text, name, provenance }: FigureProps) {
  const { hover, leave, pin } = useTooltip();
  const letters = useSingleKeys();
  const tooltipFor = (anchor: Element) => ({
    anchor,
    title: `${name}: ${text}`,
    content: <FactList facts={provenance()} />,
  });
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (!letters || event.key !== 'i' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    pin(tooltipFor(event.currentTarget));
  };
  return (
    <button
      type="button"
      className={styles['figure']}
      aria-haspopup="dialog"
      aria-keyshortcuts={letters ? 'i' : undefined}
      onKeyDown={onKeyDown}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') hover?.(tooltipFor(event.currentTarget));
      }}
      onPointerLeave={leave}
      onClick={(event) => {
        pin(tooltipFor(event.currentTarget));
      }}
    >
      {text}
    </button>
  );
}
