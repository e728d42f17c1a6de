import { Nothing } from './panel-body.tsx';

interface NoSuchProps {
  /** What it would be, as in `product`. */
  readonly noun: string;
  /** As the address says it; empty where it says none. */
  readonly name: string;
  /** How many there are to choose from. */
  readonly count: number;
}

/** The address names what there is not. It stands in place of a screen, below the field in which another one is chosen. */
export function NoSuch({ noun, name, count }: NoSuchProps) {
  return (
    <Nothing title={name === '' ? `There is no ${noun} yet` : `There is no ${noun} called ${name}`}>
      <p>Choose another one above, or type its name. The desk knows {count}.</p>
    </Nothing>
  );
}
