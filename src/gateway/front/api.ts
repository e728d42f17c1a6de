import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_PURPOSES, PURPOSE_HEADER } from '#contract/desk.ts';
import type { Purpose, Question, Reader } from '../ports.ts';
import type { Encodings } from './encodings.ts';
import { guard, whenGone } from './guard.ts';
import { sendFailure, sendProblem } from './problem-document.ts';
import { isProblem } from '../question.ts';
import type { QuestionReader } from './questions.ts';
import { sendAnswer } from './send-answer.ts';

export interface Api {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

export interface ApiParts {
  readonly readQuestion: QuestionReader;
  readonly reader: Reader;
  readonly encodings: Encodings;
  readonly now: () => number;
  readonly nextRequestId: () => string;
  readonly report: (entry: AnsweredRequest) => void;
}

/** What the log and the metrics are told of a request. The query of a private one is not in it. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  readonly how: string;
  readonly tookMs: number;
  readonly error?: unknown;
}

/** Answers `/api/<path of the interface>`: guards, reads the question, asks the reader, sends bytes or a problem. */
export function createApi(parts: ApiParts): Api {
  return {
    handle: async (request, response) => {
      const startedAt = parts.now();
      const requestId = parts.nextRequestId();
      const outcome = await answer(parts, request, response, requestId, startedAt);
      parts.report({ requestId, method: request.method ?? '', tookMs: parts.now() - startedAt, ...outcome });
    },
  };
}

type Outcome = Pick<AnsweredRequest, 'endpoint' | 'status' | 'how' | 'error'>;

async function answer(parts: ApiParts, request: IncomingMessage, response: ServerResponse, requestId: string, startedAt: number): Promise<Outcome> {
  const question = guard(request) ?? parts.readQuestion(request.url ?? '');
  if (isProblem(question)) return { endpoint: 'none', how: question.type, status: sendProblem(response, question, requestId) };
  try {
    const served = await parts.reader.ask(question, { purpose: purposeOf(request, question), signal: whenGone(response) });
    const now = parts.now();
    const status = await sendAnswer(request, response, parts.encodings, { served, requestId, now, tookMs: now - startedAt });
    return { endpoint: question.name, how: served.how, status };
  } catch (error) {
    return { endpoint: question.name, ...sendFailure(response, error, requestId) };
  }
}

function purposeOf({ headers }: IncomingMessage, { endpoint }: Question): Purpose {
  return PAGE_PURPOSES.find((purpose) => purpose === headers[PURPOSE_HEADER]) ?? endpoint.purpose;
}
