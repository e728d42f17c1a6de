export interface SparklineSize {
  readonly width: number;
  readonly height: number;
}

/** A line through values, as the `d` of an SVG path; nulls are gaps, a value between two gaps is a dot. */
export function toSparklinePath(values: readonly (number | null)[], { width, height }: SparklineSize): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '';
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index: number): string => round(values.length === 1 ? width / 2 : (index / (values.length - 1)) * width);
  const y = (value: number): string =>
    round(most === least ? height / 2 : height - ((value - least) / (most - least)) * height);
  const step = (value: number | null, index: number): string => {
    if (value === null) return '';
    const starts = (values[index - 1] ?? null) === null;
    const alone = starts && (values[index + 1] ?? null) === null;
    return `${starts ? 'M' : 'L'}${x(index)} ${y(value)}${alone ? 'h0' : ''}`;
  };
  return values.map(step).join('');
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
