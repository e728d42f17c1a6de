import { useAnnounced } from '#page/kit/live-region.tsx';
import type { PanelQuery, Stamp } from '#page/panels/panel-query.ts';
import { describeStale, toFailureKind } from '#page/client/failure-kind.ts';
import { useExplainedByOutage } from '#page/client/react/use-outage.ts';
import styles from '../shared/price.module.css';

/** A request that fills the header, by the name of its figures. */
export interface FactQuery {
  readonly name: string;
  readonly query: Pick<PanelQuery<Stamp>, 'data' | 'error' | 'errorUpdatedAt'>;
}

/** Which header figures are missing or old, and why: the chart's freshness mark covers only its own prices. */
export function FactProblems({ queries }: { readonly queries: readonly FactQuery[] }) {
  const failed = queries.find((query) => findReason(query) !== null)?.query;
  const isExplained = useExplainedByOutage(
    failed?.error ?? failed?.data?.staleBecause ?? null,
    failed?.error ? failed.errorUpdatedAt : (failed?.data?.receivedAt ?? 0),
  );
  if (isExplained) return null;
  const missing = queries.filter(({ query }) => query.data === undefined);
  const old = queries.filter(({ query }) => query.data !== undefined);
  return (
    <>
      <Problem title="Not loaded." queries={missing} />
      <Problem title="Stale." queries={old} />
    </>
  );
}

/** The first reason stands for all, since they fail together. */
function Problem({ title, queries }: { readonly title: string; readonly queries: readonly FactQuery[] }) {
  const failed = queries.flatMap((query) => {
    const reason = findReason(query);
    return reason === null ? [] : [{ name: query.name, reason }];
  });
  const text = failed[0] === undefined ? null : `${failed.map(({ name }) => name).join(', ')}: ${failed[0].reason}`;
  useAnnounced(text === null ? null : `${title} ${text}`, true);
  return text === null ? null : (
    <p className={styles['notice']} role="note">
      <strong>{title}</strong> {text}
    </p>
  );
}

/** A refused request is no problem: this exchange does not have the figure. */
function findReason({ query: { data, error } }: FactQuery): string | null {
  if (error === null) return data === undefined || data.staleBecause === null ? null : describeStale(data.staleBecause);
  return data === undefined && toFailureKind(error) === 'refused' ? null : error.message;
}
