import type { ContentCoding } from '../content-coding.ts';
import type { VenueAnswer } from '../ports.ts';
import { prepareHeaders, type PreparedHeaders } from './prepared-headers.ts';
import { compress, SMALLEST_CODED } from './send-text.ts';

export interface Encoded extends PreparedHeaders {
  readonly body: Buffer;
  readonly tag: string;
}

/** Codes each answer once, however many ask for it; forgotten with the answer. */
export interface Encodings {
  readonly of: (answer: VenueAnswer, coding: ContentCoding) => Encoded | Promise<Encoded>;
}

type Forms<Form> = Map<ContentCoding, Form>;

export function createEncodings(): Encodings {
  const known = new WeakMap<VenueAnswer, Forms<Encoded>>();
  const code = createCoder();
  const prepare = (answer: VenueAnswer, coding: ContentCoding, body: Buffer): Encoded => {
    const form = toForm(answer, coding, body);
    formsOf(known, answer).set(coding, form);
    return form;
  };
  return {
    of: (answer, wanted) => {
      const coding = answer.body.byteLength < SMALLEST_CODED ? 'identity' : wanted;
      const form = known.get(answer)?.get(coding);
      if (form !== undefined) return form;
      const coded = code(answer.body, coding);
      return coded instanceof Promise ? coded.then((body) => prepare(answer, coding, body)) : prepare(answer, coding, coded);
    },
  };
}

/** By the bytes: several answers in a row may have the same. */
function createCoder(): typeof compress {
  const known = new WeakMap<Buffer, Forms<Buffer | Promise<Buffer>>>();
  return (body, coding) => {
    const forms = formsOf(known, body);
    const coded = forms.get(coding) ?? compress(body, coding);
    forms.set(coding, coded);
    if (coded instanceof Promise) {
      coded.then(
        (smaller) => forms.set(coding, smaller),
        () => forms.delete(coding),
      );
    }
    return coded;
  };
}

function formsOf<Key extends object, Form>(known: WeakMap<Key, Forms<Form>>, key: Key): Forms<Form> {
  const forms: Forms<Form> = known.get(key) ?? new Map<ContentCoding, Form>();
  known.set(key, forms);
  return forms;
}

/** Another form is another representation: a strong tag tells them apart. */
function toForm(answer: VenueAnswer, coding: ContentCoding, body: Buffer): Encoded {
  const tag = coding === 'identity' ? answer.tag : `${answer.tag.slice(0, -1)}.${coding}"`;
  return { body, tag, ...prepareHeaders(answer, coding, tag, body.byteLength) };
}
