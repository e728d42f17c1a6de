import type { NamedProduct } from '#domain/markets/product-directory.ts';
import { CsvButton } from '#ui/csv-button.tsx';
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
      <CsvButton fileName={fileName} write={() => toPriceCsv(data, named, { prices, voi })} />
      <CsvButton fileName={`${fileName}-figures`} write={() => toPriceFiguresCsv(data, named)} label="CSV, figures only" title="Without provenance" />
    </>
  );
}
