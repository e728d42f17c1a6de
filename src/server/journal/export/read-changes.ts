import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { DeskJournal } from '#contract/desk/journal.ts';
import { splitFields, splitList } from '#contract/parse/json-split.ts';
import { createParser } from '#contract/parse/parse.ts';
import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import { ProblemDocument } from '#contract/desk/problems.ts';
import type { ChangeTexts } from './change-columns.ts';

type Query = Readonly<Record<string, string>>;

const journalParser = createParser(DeskJournal, 'gaps');
const problemParser = createParser(ProblemDocument);

/** A Perpdesk that is running; without a token where no one signs in. */
export interface RunningDesk {
  readonly address: URL;
  readonly token: string | null;
}

/** What the journal of a desk covers. */
export async function readJournal(desk: RunningDesk, range: Query): Promise<DeskJournal> {
  return journalParser.strict(await readText(desk, DESK_ENDPOINTS.journal.path, range));
}

/** All changes of a range, the oldest first, page by page. */
export async function* readChanges(desk: RunningDesk, range: Query): AsyncIterable<readonly ChangeTexts[]> {
  let cursor: string | null = null;
  do {
    const query: Query = {
      ...range,
      order: 'asc',
      limit: String(LARGEST_LIMIT.journal),
      ...(cursor !== null && { cursor }),
    };
    const page = splitFields(await readText(desk, DESK_ENDPOINTS.journalChanges.path, query));
    yield splitList(page.get('changes') ?? '[]', 1).map(toChange);
    ({ cursor } = JSON.parse(page.get('pagination') ?? '{"cursor":null}') as { readonly cursor: string | null });
  } while (cursor !== null);
}

function toChange(text: string): ChangeTexts {
  const fields = splitFields(text);
  const { before, order, ...others } = Object.fromEntries(fields);
  const values = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, JSON.parse(value) as unknown]),
  );
  return {
    ...(values as unknown as ChangeTexts),
    before: before === undefined || before === 'null' ? null : before,
    order: order ?? '{}',
  };
}

async function readText({ address, token }: RunningDesk, path: string, query: Query): Promise<string> {
  const url = new URL(path, address);
  url.search = new URLSearchParams(query).toString();
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers }).catch((error: unknown) => {
    throw new Error(`No Perpdesk responds at ${address.origin}: ${reasonOf(error)}.`, { cause: error });
  });
  const text = await response.text();
  if (response.ok) return text;
  const { value: problem } = problemParser.tolerant(text);
  throw new Error(
    problem === null ? `${url.href} responded with ${String(response.status)}.` : `${problem.title}: ${problem.detail}`,
  );
}

function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return cause?.code ?? String(error);
}
