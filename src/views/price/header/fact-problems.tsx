import { useAnnounced } from '#ui/live-region.tsx';
import type { PanelQuery, Stamp } from '#panels/panel-query.ts';
import { useTeller } from '#ui/panel/teller.tsx';
import styles from '../price.module.css';

/** An answer that figures of now are read from, by the name of the figures. */
export interface FactQuery {
  readonly name: string;
  readonly query: Pick<PanelQuery<Stamp>, 'data' | 'error'>;
}

/** Which figures of now are missing or old, and why: the mark above the chart tells of its prices only. */
export function FactProblems({ parts }: { readonly parts: readonly FactQuery[] }) {
  const missing = parts.filter(({ query }) => query.data === undefined);
  const old = parts.filter(({ query }) => query.data !== undefined);
  return (
    <>
      <Trouble what="Missing." parts={missing} />
      <Trouble what="Not current." parts={old} />
    </>
  );
}

/** The first says it for all, since they fail together. */
function Trouble({ what, parts }: { readonly what: string; readonly parts: readonly FactQuery[] }) {
  const why = useWhy();
  const troubled = parts.flatMap((part) => {
    const reason = why(part);
    return reason === null ? [] : [{ name: part.name, reason }];
  });
  const text = troubled[0] === undefined ? null : `${troubled.map(({ name }) => name).join(', ')}: ${troubled[0].reason}`;
  useAnnounced(text === null ? null : `${what} ${text}`, true);
  return text === null ? null : (
    <p className={styles['notice']} role="note">
      <strong>{what}</strong> {text}
    </p>
  );
}

/** A venue that does not have a figure is no trouble: there is none to miss. */
function useWhy(): (part: FactQuery) => string | null {
  const teller = useTeller();
  return ({ query: { data, error } }) => {
    if (error === null) return data === undefined || data.staleBecause === null ? null : teller.ofReason(data.staleBecause);
    const { kind, detail } = teller.ofError(error);
    return data === undefined && kind === 'refused' ? null : detail;
  };
}
