import type { CDPSession, Page } from '@playwright/test';
import { PLACES, type Fault, type Recorded } from './fault.ts';

interface Header {
  readonly name: string;
  readonly value: string;
}

/** What Chromium reports of a response that it holds back. */
interface Held {
  readonly requestId: string;
  readonly request: { readonly url: string };
  /** Missing where the request failed. */
  readonly responseStatusCode?: number;
  readonly responseHeaders?: readonly Header[];
}

/** They describe the body as it was sent. */
const OF_THE_BODY = new Set(['content-type', 'content-length', 'content-encoding']);

/**
 * Changes the responses to the page's requests, except further pages of a list, until the function that it returns is called.
 * Not by `page.route`, which stops every request of the page and turns its cache off: each load would fetch and compile the app anew.
 */
export async function plant(page: Page, { places, change }: Fault, productId: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const errors: unknown[] = [];
  const changeOrNote = (recorded: Recorded): Recorded => {
    try {
      return change(recorded, productId);
    } catch (error) {
      errors.push(error);
      throw error;
    }
  };
  session.on('Fetch.requestPaused', (held) => {
    const changes = held.responseStatusCode !== undefined && isIn(places, held.request.url);
    const answered = changes ? fulfill(session, held, changeOrNote) : session.send('Fetch.continueRequest', { requestId: held.requestId });
    // A page that was left no longer waits for its responses.
    void answered.catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*', requestStage: 'Response' }] });
  return async () => {
    await session.detach();
    if (errors.length > 0) throw errors[0];
  };
}

function isIn(places: Fault['places'], url: string): boolean {
  return places.some((place) => PLACES[place].test(url)) && !new URL(url).searchParams.has('cursor');
}

async function fulfill(session: CDPSession, { requestId, responseStatusCode = 0, responseHeaders = [] }: Held, change: (recorded: Recorded) => Recorded): Promise<void> {
  const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
  const { status, contentType, text } = change({
    status: responseStatusCode,
    contentType: responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '',
    text: base64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
  });
  const kept = responseHeaders.filter(({ name }) => !OF_THE_BODY.has(name.toLowerCase()));
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: [...kept, { name: 'content-type', value: contentType }],
    body: Buffer.from(text).toString('base64'),
  });
}
