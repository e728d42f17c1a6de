/** Why a request gets no answer. The sentence is the body, as plain text; without one the body is empty. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, sentence = '', headers: Readonly<Record<string, string>> = {}) {
    super(sentence);
    this.status = status;
    this.headers = headers;
  }
}

const LONGEST_QUOTE = 60;

/** What a caller sent, made safe to be shown back to it. */
export function toQuotedText(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}
