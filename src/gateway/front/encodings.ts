import type { ContentCoding } from '../content-coding.ts';
import type { VenueAnswer } from '../ports.ts';
import { compress, SMALLEST_CODED } from './send-text.ts';

export interface Encoded {
  readonly coding: ContentCoding;
  readonly body: Buffer;
  readonly tag: string;
}

/** Codes each answer once, however many ask for it; forgotten with the answer. */
export interface Encodings {
  readonly of: (answer: VenueAnswer, coding: ContentCoding) => Encoded | Promise<Encoded>;
}

type Forms = Map<ContentCoding, Encoded | Promise<Encoded>>;

export function createEncodings(): Encodings {
  const known = new WeakMap<VenueAnswer, Forms>();
  return {
    of: (answer, wanted) => {
      const coding = answer.body.byteLength < SMALLEST_CODED ? 'identity' : wanted;
      const forms = known.get(answer) ?? (new Map() as Forms);
      known.set(answer, forms);
      return forms.get(coding) ?? encode(answer, coding, forms);
    },
  };
}

function encode({ body, tag }: VenueAnswer, coding: ContentCoding, forms: Forms): Encoded | Promise<Encoded> {
  const coded = compress(body, coding);
  if (!(coded instanceof Promise)) {
    const form = { coding, body: coded, tag };
    forms.set(coding, form);
    return form;
  }
  const coming = coded.then((smaller) => {
    // Another form is another representation: a strong tag tells them apart.
    const form = { coding, body: smaller, tag: `${tag.slice(0, -1)}.${coding}"` };
    forms.set(coding, form);
    return form;
  });
  forms.set(coding, coming);
  coming.catch(() => forms.delete(coding));
  return coming;
}
