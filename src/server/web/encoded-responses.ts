import { ANSWERED_AT_HEADER } from '#contract/desk/desk.ts';
import type { Endpoint } from '#contract/exchange/endpoints.ts';
import { createBody, type Body } from '#server/core/body.ts';
import type { Served, VenueResponse } from '#server/core/ports.ts';
import { CACHE_CONTROL } from './cache-control.ts';
import { codingFor, compress } from './compress.ts';
import type { ContentCoding } from './content-coding.ts';
import { securityHeaders } from './security-headers.ts';

/** Names and values in turn, which Node writes without inspecting each. */
type RawHeaders = readonly string[];

type Access = Endpoint['access'];

/** One coding of a response, with the headers that are the same each time it is sent. */
export interface EncodedResponse {
  readonly body: Body;
  readonly tag: string;
  readonly always: RawHeaders;
  /** Not with 304. */
  readonly withBody: RawHeaders;
}

/** Encodes each response once for all clients. Encoded forms are dropped together with the response. */
export interface ResponseEncoder {
  readonly encode: (
    served: Served,
    coding: ContentCoding,
    access: Access,
  ) => EncodedResponse | Promise<EncodedResponse>;
}

export function createResponseEncoder(): ResponseEncoder {
  const known = new WeakMap<VenueResponse, Partial<Record<ContentCoding, EncodedResponse>>>();
  const compressOnce = createBodyCompressor();
  const prepare = (
    { response, outcome }: Served,
    coding: ContentCoding,
    access: Access,
    body: Body,
  ): EncodedResponse => {
    const encoded = toEncoded(response, coding, access, body);
    // Most responses are sent once: remembering those would cost more than it saves.
    if (outcome !== 'miss') known.set(response, { ...known.get(response), [coding]: encoded });
    return encoded;
  };
  return {
    encode: (served, preferred, access) => {
      const { response } = served;
      const coding = codingFor(response.body.byteLength, preferred);
      const encoded = known.get(response)?.[coding];
      if (encoded !== undefined) return encoded;
      if (coding === 'identity') return prepare(served, coding, access, response.body);
      const body = compressOnce(response.body, coding);
      return body instanceof Promise
        ? body.then((compressed) => prepare(served, coding, access, compressed))
        : prepare(served, coding, access, body);
    },
  };
}

type Compressed = Exclude<ContentCoding, 'identity'>;

/** Keyed by the body: consecutive responses often share one. */
function createBodyCompressor(): (body: Body, coding: Compressed) => Body | Promise<Body> {
  const known = new WeakMap<Body, Map<Compressed, Body | Promise<Body>>>();
  return (body, coding) => {
    const forms = known.get(body) ?? new Map<Compressed, Body | Promise<Body>>();
    known.set(body, forms);
    const form = forms.get(coding);
    if (form !== undefined) return form;
    const pending = compressBody(body, coding);
    forms.set(coding, pending);
    pending.then(
      (compressed) => forms.set(coding, compressed),
      () => forms.delete(coding),
    );
    return pending;
  };
}

async function compressBody(body: Body, coding: Compressed): Promise<Body> {
  return createBody([await compress(body.whole(), coding)]);
}

function commonHeaders(access: Access): RawHeaders {
  return [
    ...Object.entries(securityHeaders).flat(),
    ...['cache-control', CACHE_CONTROL[access], 'vary', 'accept-encoding'],
  ];
}

const COMMON_HEADERS: Readonly<Record<Access, RawHeaders>> = {
  public: commonHeaders('public'),
  signed: commonHeaders('signed'),
};

/** Each coding is another representation, so its strong tag differs. */
function toEncoded(
  { tag: plainTag, contentType, answeredAt }: VenueResponse,
  coding: ContentCoding,
  access: Access,
  body: Body,
): EncodedResponse {
  const tag = coding === 'identity' ? plainTag : `${plainTag.slice(0, -1)}.${coding}"`;
  const withBody = ['content-type', contentType, 'content-length', String(body.byteLength)];
  if (coding !== 'identity') withBody.push('content-encoding', coding);
  return {
    body,
    tag,
    withBody,
    always: COMMON_HEADERS[access].concat('etag', tag, ANSWERED_AT_HEADER, new Date(answeredAt).toISOString()),
  };
}
