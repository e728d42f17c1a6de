import type { Fact } from '../fact-list.tsx';
import type { Picture } from './picture.ts';

/** By the name of a readout: where its figure of a bar comes from. */
export type ReadoutNotes = Readonly<Record<string, (index: number) => readonly Fact[]>>;

/** The same picture, whose figures can say where they come from. */
export function withNotes(picture: Picture, notes: ReadoutNotes): Picture {
  return {
    ...picture,
    readouts: picture.readouts.map((readout) => {
      const explain = notes[readout.name];
      return explain === undefined ? readout : { ...readout, explain };
    }),
  };
}
