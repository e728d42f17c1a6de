import type { ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/desk.ts';
import { SignInFailure, type Redirect } from '../sign-in-failure.ts';
import { DESK_FAULT } from './problem-document.ts';
import type { RequestContext, RouteHandler } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';

/** Sends a browser elsewhere. A failure is a page that a person reads: they came by a link or from another site. */
export function createRedirectRoute(endpoint: string, find: (context: RequestContext) => Promise<Redirect>): RouteHandler {
  return async (context) => {
    const { response, requestId } = context;
    const common = { ...securityHeaders, 'cache-control': 'no-store', [REQUEST_ID_HEADER]: requestId };
    try {
      const { location, cookies } = await find(context);
      response.writeHead(303, { ...common, location, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) }).end();
      return { endpoint, status: 303, outcome: 'redirected' };
    } catch (error) {
      const { status, message } = error instanceof SignInFailure ? error : { status: 500, message: DESK_FAULT.detail };
      sendPage(response, status, common, message, requestId);
      return { endpoint, status, outcome: error instanceof SignInFailure ? 'not-signed-in' : 'desk-fault', error };
    }
  };
}

function sendPage(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>, sentence: string, requestId: string): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not signed in – Perpdesk</title><h1>Not signed in</h1><p>${escapeHtml(sentence)}</p><p><a href="/">Back to Perpdesk</a></p><p><small>Request ${escapeHtml(requestId)}</small></p></html>\n`;
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(page) });
  response.end(response.req.method === 'HEAD' ? undefined : page);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
