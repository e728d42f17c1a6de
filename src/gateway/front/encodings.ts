import { createBody, type Body } from '../body.ts';
import type { ContentCoding } from '../content-coding.ts';
import type { Served, VenueAnswer } from '../ports.ts';
import { prepareHeaders, type PreparedHeaders } from './prepared-headers.ts';
import { compress, SMALLEST_CODED } from './send-text.ts';

export interface Encoded extends PreparedHeaders {
  readonly body: Body;
  readonly tag: string;
}

/** Codes each answer once, however many ask for it; forgotten with the answer. */
export interface Encodings {
  readonly of: (served: Served, coding: ContentCoding) => Encoded | Promise<Encoded>;
}

export function createEncodings(): Encodings {
  const known = new WeakMap<VenueAnswer, Partial<Record<ContentCoding, Encoded>>>();
  const pack = createPacker();
  const prepare = ({ answer, how }: Served, coding: ContentCoding, body: Body): Encoded => {
    const form = toForm(answer, coding, body);
    // Most are asked for once: to remember their headers would cost more than to write them anew for the second who asks.
    if (how !== 'miss') known.set(answer, { ...known.get(answer), [coding]: form });
    return form;
  };
  return {
    of: (served, wanted) => {
      const { answer } = served;
      const coding = answer.body.byteLength < SMALLEST_CODED ? 'identity' : wanted;
      const form = known.get(answer)?.[coding];
      if (form !== undefined) return form;
      if (coding === 'identity') return prepare(served, coding, answer.body);
      const packed = pack(answer.body, coding);
      return packed instanceof Promise ? packed.then((body) => prepare(served, coding, body)) : prepare(served, coding, packed);
    },
  };
}

/** By the bytes: several answers in a row may have the same. */
function createPacker(): (body: Body, coding: ContentCoding) => Body | Promise<Body> {
  const known = new WeakMap<Body, Map<ContentCoding, Body | Promise<Body>>>();
  return (body, coding) => {
    const forms = known.get(body) ?? new Map<ContentCoding, Body | Promise<Body>>();
    const packed = forms.get(coding) ?? packBody(body, coding);
    forms.set(coding, packed);
    known.set(body, forms);
    if (packed instanceof Promise) {
      packed.then(
        (smaller) => forms.set(coding, smaller),
        () => forms.delete(coding),
      );
    }
    return packed;
  };
}

async function packBody(body: Body, coding: ContentCoding): Promise<Body> {
  return createBody([await compress(body.whole(), coding)]);
}

/** Another form is another representation: a strong tag tells them apart. */
function toForm(answer: VenueAnswer, coding: ContentCoding, body: Body): Encoded {
  const tag = coding === 'identity' ? answer.tag : `${answer.tag.slice(0, -1)}.${coding}"`;
  return { body, tag, ...prepareHeaders(answer, coding, tag, body.byteLength) };
}
