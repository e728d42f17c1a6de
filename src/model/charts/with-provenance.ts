import type { Fact } from '../format/fact.ts';
import type { Picture } from './picture.ts';

/** Provenance of a figure at a bar, by the name of its readout. */
export type ReadoutProvenance = Readonly<Record<string, (index: number) => readonly Fact[]>>;

/** Adds provenance to the figures of a picture. */
export function withProvenance(picture: Picture, provenance: ReadoutProvenance): Picture {
  return {
    ...picture,
    readouts: picture.readouts.map((readout) => {
      const explain = provenance[readout.name];
      return explain === undefined ? readout : { ...readout, explain };
    }),
  };
}
