import type { NamedProduct } from '#domain/markets/product-directory.ts';
import { download } from '#ui/download.ts';
import { toPriceCsv, toPriceFiguresCsv, type CsvSources } from './price-csv.ts';
import type { PriceData } from './price-data.ts';

interface CsvButtonsProps extends CsvSources {
  readonly data: PriceData;
  readonly named: NamedProduct;
  /** Without extension. */
  readonly fileName: string;
}

/** The bars as a file, with or without the source of each. */
export function CsvButtons({ data, named, fileName, prices, voi }: CsvButtonsProps) {
  return (
    <>
      <button
        type="button"
        onClick={() => {
          download(`${fileName}.csv`, toPriceCsv(data, named, { prices, voi }));
        }}
      >
        CSV
      </button>
      <button
        type="button"
        title="Without provenance"
        onClick={() => {
          download(`${fileName}-figures.csv`, toPriceFiguresCsv(data, named));
        }}
      >
        CSV, figures only
      </button>
    </>
  );
}
