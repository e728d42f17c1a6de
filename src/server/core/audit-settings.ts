/** How long the audit log is kept, and where each entry is written as well. */
export interface AuditSettings {
  /** Older entries are dropped. */
  readonly days: number;
  /** Beyond this size, the oldest entries are dropped, however young. */
  readonly bytes: number;
  /** Null for nowhere. */
  readonly target: AuditTarget | null;
}

/** Standard error, a file, or a syslog server that receives datagrams. */
export type AuditTarget =
  | { readonly kind: 'stderr' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'syslog'; readonly host: string; readonly port: number };

/** Six years, of which five GB are about ten million entries. */
export const AUDIT_DEFAULTS: AuditSettings = { days: 2_200, bytes: 5_000_000_000, target: null };
