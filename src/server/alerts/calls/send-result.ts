/** What came of one attempt. */
export interface SendResult {
  /** `refused`: the receiver rejects this very call, so repeating it helps little. `gone`: it wants no more calls at all. */
  readonly outcome: 'delivered' | 'failed' | 'refused' | 'gone';
  /** HTTP status or SMTP reply code; null where there was none. */
  readonly status: number | null;
  /** What happened, in a sentence; empty if all is well. */
  readonly reason: string;
  /** The beginning of what came back. */
  readonly answer: string;
  /** How long the receiver wants to be left alone. */
  readonly retryAfterMs: number | null;
}

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing is listening at its address',
  ECONNRESET: 'It closed the connection',
  EPIPE: 'It closed the connection',
  ESOCKET: 'It closed the connection',
  UND_ERR_SOCKET: 'It closed the connection',
  ENOTFOUND: 'Its host name does not exist',
  EDNS: 'Its host name cannot be resolved',
  EAI_AGAIN: 'Its host name cannot be resolved',
  ENETUNREACH: 'There is no route to it',
  EHOSTUNREACH: 'There is no route to it',
  ETIMEDOUT: 'It did not respond in time',
  UND_ERR_CONNECT_TIMEOUT: 'It did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'It did not respond in time',
  UND_ERR_HEADERS_OVERFLOW: 'Its response has headers that are too large',
  ETLS: 'It does not offer STARTTLS with a certificate that is trusted',
};

/** An attempt that ended without a response. */
export function toFailedSend(error: unknown): SendResult {
  return { outcome: 'failed', status: null, reason: reasonOf(error), answer: '', retryAfterMs: null };
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'It did not respond in time.';
  const { code, message } = toCoded(error);
  if (code === null) return `${message}.`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return `Its certificate is not trusted (${code}).`;
  if (code.startsWith('HPE_')) return `Its response is not valid HTTP (${code}).`;
  return `${CODES[code] ?? 'It cannot be reached'} (${code}).`;
}

/** An error that names several addresses has no code of its own; nodemailer puts one of its own in front of the connection's. */
function toCoded(error: unknown): { readonly code: string | null; readonly message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return toCoded(error.errors[0]);
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  const { originalCode, code } = error as { readonly originalCode?: unknown; readonly code?: unknown };
  const found = originalCode ?? code;
  return { code: typeof found === 'string' ? found : null, message: error.message };
}
