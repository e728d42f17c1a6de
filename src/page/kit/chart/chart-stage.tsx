import { type ComponentProps, type ReactNode, useId } from 'react';
import hidden from '../hidden.module.css';

interface ChartStageProps extends Omit<ComponentProps<'div'>, 'children'> {
  /** Name of the chart for screen readers. */
  readonly label: string;
  /** The chart in a sentence or two, and its keys, for screen readers. */
  readonly description: string;
  readonly children: ReactNode;
}

/** The element of a chart that takes the focus and its keys. */
export function ChartStage({ label, description, children, ...element }: ChartStageProps) {
  const id = useId();
  return (
    <div
      {...element}
      role="application"
      aria-roledescription="chart"
      aria-label={label}
      aria-describedby={id}
      tabIndex={0}
    >
      <p className={hidden['hidden']} id={id}>
        {description}
      </p>
      {children}
    </div>
  );
}
