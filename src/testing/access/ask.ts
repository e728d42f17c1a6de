import type { ViewedDesk } from './viewed-desk.ts';

export interface Answer {
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export async function ask({ url, headersOf }: ViewedDesk, viewer: string, path: string): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { headers: headersOf(viewer) });
  return { path, status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

/** Returns what a stream receives until its topic has been read. */
export async function askStream({ url, headersOf }: ViewedDesk, viewer: string, path: string): Promise<Answer> {
  const ending = new AbortController();
  const response = await fetch(`${url}${path}`, {
    headers: { ...headersOf(viewer), 'accept-encoding': 'identity' },
    signal: ending.signal,
  });
  const answer = { path, status: response.status, headers: Object.fromEntries(response.headers) };
  if (response.status !== 200) return { ...answer, text: await response.text() };
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (/^event: (?:read|failed)\n.*\n\n/m.test(text)) break;
  }
  ending.abort();
  return { ...answer, text };
}
