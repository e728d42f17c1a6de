import type { Readout } from './picture.ts';

/** The figures by the entry of the legend that they stand in: most have one of their own. */
export function toEntries(readouts: readonly Readout[]): ReadonlyMap<string, readonly [Readout, ...Readout[]]> {
  const entries = new Map<string, [Readout, ...Readout[]]>();
  for (const readout of readouts) {
    const name = readout.entry?.name ?? readout.name;
    const before = entries.get(name);
    if (before === undefined) entries.set(name, [readout]);
    else before.push(readout);
  }
  return entries;
}
