import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setBounded } from '#server/core/maps.ts';
import { toPayer } from '#server/core/ports.ts';
import { createSealedTexts } from '#server/core/sealed-texts.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';

/** Distinguishes browsers if no sign-in is required, only to give each its share of the exchange’s budget. */
export interface BrowserSessions {
  /** Clients without a cookie, such as programs, count as one person. */
  readonly identify: (request: IncomingMessage) => Promise<Viewer>;
  /** Sets a browser’s session cookie, with the page or a response of the API. */
  readonly greet: (request: IncomingMessage, response: ServerResponse) => void;
}

const PURPOSE = 'browser session';
/** Dropping one loses nothing: its cookie is read again. */
const MOST_KNOWN = 1_000;

export function createBrowserSessions(key: string, newId: () => string): BrowserSessions {
  const sealed = createSealedTexts(key, PURPOSE);
  // Cookies are shared by all ports of a host, so each Perpdesk on the machine needs its own name.
  const name = `perpdesk-browser-${createHmac('sha256', key).update(PURPOSE).digest('hex').slice(0, 8)}`;
  const known = new Map<string, Viewer>();

  const find = ({ headers: { cookie = '' } }: IncomingMessage): Viewer | null => {
    const value = cookie.includes(name)
      ? new RegExp(`(?:^|; *)${name}=([\\w-]{1,256})(?:;|$)`).exec(cookie)?.[1]
      : undefined;
    if (value === undefined) return null;
    const found = known.get(value);
    if (found !== undefined) return found;
    const id = sealed.open(value, PURPOSE);
    if (id === null) return null;
    const viewer = { ...LOCAL_VIEWER, payer: toPayer(id) };
    setBounded(known, value, viewer, MOST_KNOWN);
    return viewer;
  };

  return {
    identify: (request) => Promise.resolve(find(request) ?? LOCAL_VIEWER),
    greet: (request, response) => {
      if (isOfPage(request) && find(request) === null)
        response.setHeader('set-cookie', `${name}=${sealed.seal(newId(), PURPOSE)}; Path=/; HttpOnly; SameSite=Lax`);
    },
  };
}

/** Whether the request is for the page itself or for the API. Files that browsers may cache for long get no cookie. */
function isOfPage({ url = '', headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  return (site === 'same-origin' || site === 'none') && (mode === 'navigate' || url.startsWith('/api/'));
}
