import type { Change } from './change.ts';
import { createTrie } from './create-trie.ts';
import { itemAt, numberAt, type ContentReader, type ContentWriter } from './content.ts';
import type { Shape } from './shapes.ts';

/** `base`: the row of an order that was working at the segment's start. */
const STEP_KINDS = ['base', 'seen', 'changed', 'gone', 'ended', 'returned'] as const satisfies readonly (
  | Change['kind']
  | 'base'
)[];
export type StepKind = (typeof STEP_KINDS)[number];

/** How a row differs from the one before it of its order. Few of them make up nearly all of a block. */
export interface Step {
  readonly kind: StepKind;
  readonly shape: number;
  /** Which of the shape's fields are not as before. */
  readonly fields: readonly number[];
}

export interface StepIndex {
  readonly steps: readonly Step[];
  readonly placeOf: (kind: StepKind, shape: Shape, fields: readonly number[]) => number;
}

export function createStepIndex(): StepIndex {
  const steps: Step[] = [];
  const places = createTrie<number, number>();
  return {
    steps,
    placeOf: (kind, shape, fields) =>
      places(
        [STEP_KINDS.indexOf(kind), shape.place, ...fields],
        () => steps.push({ kind, shape: shape.place, fields }) - 1,
      ),
  };
}

export function writeSteps(content: ContentWriter, steps: readonly Step[]): void {
  content.numbers(steps.map(({ kind }) => STEP_KINDS.indexOf(kind)));
  content.numbers(steps.map(({ shape }) => shape));
  content.numbers(steps.map(({ fields }) => fields.length));
  content.numbers(steps.flatMap(({ fields }) => fields));
}

export function readSteps(content: ContentReader): readonly Step[] {
  const [kinds, shapes, counts, fields] = [content.numbers(), content.numbers(), content.numbers(), content.numbers()];
  let at = 0;
  return Array.from(kinds, (kind, place) => {
    const count = numberAt(counts, place);
    at += count;
    return {
      kind: itemAt(STEP_KINDS, kind),
      shape: numberAt(shapes, place),
      fields: [...fields.subarray(at - count, at)],
    };
  });
}
