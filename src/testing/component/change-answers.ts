import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/problems.ts';
import type { Change } from './mount.tsx';

export type Row = Readonly<Record<string, unknown>>;

/** Answers whose path and query match have another body; `change` says what it expects in them. */
export function changeBody(target: RegExp, change: (body: never) => unknown): Change {
  return (answer) => (target.test(answer.target) ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as never)) } : answer);
}

/** Changes each row of the list, under whichever name a body has it; one object is a list of one. */
export function changeRows(target: RegExp, change: (row: Row, index: number) => Row): Change {
  return changeBody(target, (body: Row | readonly Row[]) => {
    if (isList(body)) return body.map(change);
    const list = ['data', 'products', 'orders'].find((name) => isList(body[name]));
    return list === undefined ? change(body, 0) : { ...body, [list]: (body[list] as readonly Row[]).map(change) };
  });
}

function isList(value: unknown): value is readonly Row[] {
  return Array.isArray(value);
}

/** The desk reports a problem instead. */
export function failing(target: RegExp, type: ProblemType, detail: string): Change {
  const { status, title } = PROBLEMS[type];
  const text = JSON.stringify({ type: PROBLEM_PREFIX + type, title, status, detail, instance: 'r-1' });
  return (answer) => (target.test(answer.target) ? { ...answer, status, headers: { 'content-type': 'application/problem+json' }, text } : answer);
}

/** Answers that come only once they are let go. */
export function holding(target: RegExp): { readonly change: Change; readonly letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const change: Change = async (answer) => {
    if (target.test(answer.target)) await promise;
    return answer;
  };
  return {
    change,
    letGo: () => {
      resolve(undefined);
    },
  };
}
