import type { Readout } from '#model/charts/picture.ts';

/** Figures by their legend entry; most have an entry of their own. */
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
