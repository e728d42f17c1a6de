import { joinQueries } from '#page/panels/join-queries.ts';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import { useOrderColumns } from '../shared/use-order-columns.ts';
import { PastList } from './past-list.tsx';
import { ReadingFacts } from './reading-facts.tsx';
import type { StepFilter } from '#model/tables/orders/step-filter.ts';
import type { BookReading, PastBook } from './use-book.ts';
import type { Travel } from './use-travel.ts';
import own from './travel.module.css';

const ComparedList = lazy(async () => (await import('./compared-list.tsx')).ComparedList);

interface PastBooksProps {
  readonly travel: Travel;
  readonly shown: BookReading;
  readonly other: BookReading;
  /** What the list is filtered by. */
  readonly onFilter: (filter: StepFilter) => void;
}

/** The list of one instant, or of two compared. */
export function PastBooks({ travel: { at, other: otherAt }, shown, other, onFilter }: PastBooksProps) {
  if (otherAt === null) {
    return (
      <PanelBody query={shown.query}>
        {(book) => (
          <div className={own['book']} data-earlier={shown.isEarlier}>
            <p className={own['facts']}>
              <ReadingFacts book={book} />
            </p>
            <OneList book={book} onFilter={onFilter} />
          </div>
        )}
      </PanelBody>
    );
  }
  const [first, second] = at <= otherAt ? [shown, other] : [other, shown];
  const [earlier, later] = [first.query.data, second.query.data];
  return (
    <PanelBody query={joinQueries([first.query, second.query])}>
      {() =>
        earlier !== undefined &&
        later !== undefined && (
          <div className={own['book']} data-earlier={first.isEarlier || second.isEarlier}>
            <p className={own['facts']}>
              <ReadingFacts book={later} />
              <ReadingFacts book={earlier} isOther />
            </p>
            <ComparedList earlier={earlier} later={later} onFilter={onFilter} />
          </div>
        )
      }
    </PanelBody>
  );
}

function OneList({ book, onFilter }: { readonly book: PastBook; readonly onFilter: (filter: StepFilter) => void }) {
  return <PastList book={book} rows={book.rows} columns={useOrderColumns(book.rows)} onFilter={onFilter} />;
}
