import type { Answer } from '#api/answer.ts';
import type { DeskStatus } from '#contract/desk.ts';
import { countOf, formatCount } from '#domain/format-count.ts';
import { FactList } from '#ui/fact-list.tsx';
import { Figure } from '#ui/figure.tsx';
import { toProvenance } from './to-provenance.ts';
import styles from './status-screen.module.css';

type Answers = DeskStatus['answers'];
type Origin = 'hit' | 'kept' | 'joined' | 'miss' | 'stale' | 'failed';

const ORIGINS: readonly (readonly [origin: Origin, words: string])[] = [
  ['miss', 'Venue'],
  ['joined', 'Shared with another’s read'],
  ['hit', 'Memory'],
  ['kept', 'Disk, settled for good'],
  ['stale', 'Old ones, the venue failing'],
  ['failed', 'None: a problem was told'],
];

export function AnswerFacts({ answer }: { readonly answer: Answer<DeskStatus> }) {
  const { answers } = answer.value;
  const counts = ORIGINS.map(([origin, words]) => ({
    name: words,
    value: (
      <Figure
        name={words}
        text={formatCount(answers[origin])}
        provenance={() => toProvenance(answer, `answers.${origin}`, answers[origin])}
      />
    ),
  }));
  const stocks = [
    { name: 'Held in memory', value: <Stock answer={answer} place="in_memory" /> },
    { name: 'Held on disk', value: <Stock answer={answer} place="on_disk" /> },
  ];
  return (
    <div className={styles['facts']}>
      <FactList facts={[...counts, ...stocks]} />
    </div>
  );
}

function Stock({ answer, place }: { readonly answer: Answer<DeskStatus>; readonly place: 'in_memory' | 'on_disk' }) {
  const stock = answer.value.answers[place];
  return <Figure name={place} text={formatStock(stock)} provenance={() => toProvenance(answer, `answers.${place}`, stock)} />;
}

function formatStock({ answers, bytes }: Answers['in_memory']): string {
  const size = bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${countOf(answers, 'answer')}, ${size}`;
}
