import { useMemo } from 'react';
import { formatCount } from '#domain/format-count.ts';
import { FactList } from '#ui/fact-list.tsx';
import { StateWord } from '#ui/state-word.tsx';
import { Time } from '#ui/time/time.tsx';
import { Completeness } from './completeness.tsx';
import styles from './orders.module.css';
import type { WorkingSnapshot } from './use-working.ts';

/** What the list is made of, and what says that it is all there is. */
export function ProofPanel({ snapshot, unread }: { readonly snapshot: WorkingSnapshot; readonly unread: number }) {
  const { proof, rows, source, oddities } = snapshot;
  const symbols = useMemo(() => new Map(rows.map(({ order, terms }) => [String(terms.productId), order.symbol])), [rows]);
  const sum = proof.parts.reduce((total, { count }) => total + count, 0);
  return (
    <>
      <FactList
        facts={[
          { name: 'The set is', value: <Completeness proof={proof} /> },
          { name: 'Orders', value: formatCount(proof.orders) },
          ...(unread === 0 ? [] : [{ name: 'Unread', value: `${formatCount(unread)} known from before, which this answer lacks: they may rest still, and are in no sum` }]),
          { name: 'Sum of the parts', value: formatCount(sum) },
          { name: 'Disjoint by id', value: proof.repeated === 0 ? <StateWord state="good">yes</StateWord> : <StateWord state="bad">{proof.repeated} came twice</StateWord> },
          { name: 'Read from', value: <Clock at={proof.readFrom} />, code: true },
          { name: 'Read to', value: <Clock at={proof.readTo} />, code: true },
          { name: 'Asked', value: `GET ${source.target}`, code: true },
        ]}
      />
      <Sentences title="Not proven" sentences={proof.unproven} />
      <Sentences title="Odd about the answer" sentences={oddities} />
      <h3>Parts</h3>
      <p className={styles['quiet']}>The venue refuses to answer with more than 10,000 orders; then the question is asked in parts.</p>
      <div className={styles['tableBox']} role="region" aria-label="Parts" tabIndex={0}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Asked for</th>
              <th scope="col">Orders</th>
              <th scope="col">Answered</th>
            </tr>
          </thead>
          <tbody>
            {proof.parts.map(({ asked, product, count, readAt }) => (
              <tr key={asked}>
                <th scope="row">
                  {asked} <span className={styles['quiet']}>{symbols.get(product ?? '')}</span>
                </th>
                <td>{formatCount(count)}</td>
                <td>
                  <Time at={readAt}>{readAt.slice(11)}</Time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** With every digit that the venue told; pointing at it tells all three clocks. */
function Clock({ at }: { readonly at: string | null }) {
  if (at === null) return <>–</>;
  return <Time at={at}>{at}</Time>;
}

function Sentences({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles['sentences']}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}
