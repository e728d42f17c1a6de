import type { IncomingMessage, ServerResponse } from 'node:http';
import { contentCodings, createCodingChooser, type ContentCoding } from '../content-coding.ts';
import type { Question, Reader, Served } from '../ports.ts';
import type { Encoded, Encodings } from './encodings.ts';
import { guard, whenGone } from './guard.ts';
import { pagePurposeOf } from './page-purpose.ts';
import { sendFailure, sendProblem } from './problem-document.ts';
import { isProblem } from '../question.ts';
import type { Questions } from './questions.ts';
import { sendAnswer } from './send-answer.ts';

export interface Api {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined;
}

export interface ApiParts {
  readonly questions: Questions;
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

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
}

/**
 * Answers `/api/<path of the interface>`: guards, reads the question, asks the reader, sends bytes or a problem. What is
 * ready in memory goes out at once: nearly every request is one of those, and each step that waits would cost it dear.
 */
export function createApi(parts: ApiParts): Api {
  const chooseCoding = createCodingChooser(contentCodings);
  return {
    handle: (request, response) => {
      const exchange = { request, response, requestId: parts.nextRequestId(), startedAt: parts.now() };
      const outcome = answer(parts, exchange, chooseCoding(request.headers['accept-encoding']));
      if (outcome instanceof Promise) return outcome.then((later) => { report(parts, exchange, later); });
      report(parts, exchange, outcome);
      return undefined;
    },
  };
}

type Outcome = Pick<AnsweredRequest, 'endpoint' | 'status' | 'how' | 'error'>;

function report(parts: ApiParts, { request, requestId, startedAt }: Exchange, { endpoint, status, how, error }: Outcome): void {
  parts.report({ requestId, method: request.method ?? '', endpoint, status, how, tookMs: parts.now() - startedAt, error });
}

function answer(parts: ApiParts, exchange: Exchange, coding: ContentCoding): Outcome | Promise<Outcome> {
  const { request, response, requestId } = exchange;
  const { url = '' } = request;
  const question = guard(request) ?? parts.questions.read(url);
  if (isProblem(question)) return { endpoint: 'none', how: question.type, status: sendProblem(response, question, requestId) };
  const fail = (error: unknown): Outcome => ({ endpoint: question.name, ...sendFailure(response, error, requestId) });
  try {
    const served = parts.reader.find(question);
    if (served !== undefined) parts.questions.remember(url, question);
    const ready = served === undefined ? ask(parts, exchange, question, coding) : toReady(parts, served, coding);
    if (!(ready instanceof Promise)) return send(parts, exchange, question, ready);
    return ready.then((later) => send(parts, exchange, question, later)).catch(fail);
  } catch (error) {
    return fail(error);
  }
}

interface Ready {
  readonly served: Served;
  readonly form: Encoded;
}

async function ask(parts: ApiParts, { request, response }: Exchange, question: Question, coding: ContentCoding): Promise<Ready> {
  const purpose = pagePurposeOf(request) ?? question.endpoint.purpose;
  const served = await parts.reader.ask(question, { purpose, signal: whenGone(response) });
  return toReady(parts, served, coding);
}

function toReady({ encodings }: ApiParts, served: Served, coding: ContentCoding): Ready | Promise<Ready> {
  const form = encodings.of(served, coding);
  return form instanceof Promise ? form.then((coded) => ({ served, form: coded })) : { served, form };
}

function send(parts: ApiParts, { request, response, requestId, startedAt }: Exchange, { name }: Question, { served, form }: Ready): Outcome {
  const now = parts.now();
  const status = sendAnswer(request, response, { served, form, requestId, now, tookMs: now - startedAt });
  return { endpoint: name, how: served.how, status };
}
