import { ACCESS_ACTIONS, FORGERY_HEADER, type DeskMe } from '#contract/desk/access.ts';
import { ACTION_HEADER, DESK_ACTIONS, type DeskAction } from '#contract/desk/actions.ts';
import { SAVED_ACTIONS } from '#contract/desk/saved.ts';

type ActionName = keyof typeof ACCESS_ACTIONS | keyof typeof DESK_ACTIONS | keyof typeof SAVED_ACTIONS;

const ACTIONS: Readonly<Record<string, DeskAction>> = { ...DESK_ACTIONS, ...ACCESS_ACTIONS, ...SAVED_ACTIONS };

interface HttpResponseText {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/**
 * A person who uses Perpdesk. Requests are sent as by their browser: with its cookies, its origin and the token against
 * forgery.
 */
export interface HttpPerson {
  readonly get: (path: string, init?: RequestInit) => Promise<HttpResponseText>;
  readonly act: (
    name: ActionName,
    body?: object | null,
    query?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<HttpResponseText>;
  readonly me: () => Promise<DeskMe>;
  readonly cookies: () => ReadonlyMap<string, string>;
  readonly forget: (cookie: string) => void;
  /** Adds the cookies of another browser. */
  readonly copy: (from: Pick<HttpPerson, 'cookies'>) => void;
}

/** A strong password: long, and without words that belong together. */
export const PASSWORD = 'marble otter seventeen lantern';

export function createHttpPerson(address: string): HttpPerson {
  const cookies = new Map<string, string>();
  const { origin } = new URL(address);
  let forgeryToken: string | null = null;
  const send = async (path: string, { headers, ...init }: RequestInit = {}): Promise<HttpResponseText> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${origin}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie !== '' && { cookie }), ...(headers as Readonly<Record<string, string>> | undefined) },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text.startsWith('{') ? JSON.parse(text) : { text }) as Readonly<Record<string, unknown>>,
    };
  };
  const me = async (): Promise<DeskMe> => {
    const found = (await send('/api/desk/me')).body as unknown as DeskMe;
    forgeryToken = found.forgery_token;
    return found;
  };
  return {
    get: send,
    act: async (name, body = null, query = {}, headers = {}) => {
      await me();
      const { path, method } = ACTIONS[name] ?? { path: '', method: '' };
      const search = new URLSearchParams(query).toString();
      return send(search === '' ? path : `${path}?${search}`, {
        method,
        headers: {
          origin,
          [ACTION_HEADER]: name,
          ...(forgeryToken !== null && { [FORGERY_HEADER]: forgeryToken }),
          ...(body !== null && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== null && { body: JSON.stringify(body) }),
      });
    },
    me,
    cookies: () => cookies,
    forget: (cookie) => void cookies.delete(cookie),
    copy: (from) => {
      for (const [name, value] of from.cookies()) cookies.set(name, value);
    },
  };
}
