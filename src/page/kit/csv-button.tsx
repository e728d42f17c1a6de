import type { CsvForm } from '#model/format/csv.ts';
import { downloadRows } from './download.ts';
import { useLoadErrorToast } from './toast.tsx';

interface CsvButtonsProps {
  /** Without extension. */
  readonly fileName: string;
  /** Writes the file, when a button is pressed. Its code may load only then. */
  readonly write: (form: CsvForm) => string | Promise<string>;
  readonly label?: string;
}

/** Saves figures of the screen as a CSV file, with or without the provenance of each. */
export function CsvButtons({ fileName, write, label = 'CSV' }: CsvButtonsProps) {
  return (
    <>
      <CsvButton fileName={fileName} write={() => write('full')} label={label} />
      <CsvButton
        fileName={`${fileName}-figures`}
        write={() => write('figures')}
        label={`${label}, figures only`}
        title="Without provenance"
      />
    </>
  );
}

interface CsvButtonProps {
  readonly fileName: string;
  readonly write: () => string | Promise<string>;
  readonly label?: string;
  readonly title?: string;
}

/** A button for a table that has only one form. */
export function CsvButton({ fileName, write, label = 'CSV', title }: CsvButtonProps) {
  const notLoaded = useLoadErrorToast();
  const save = (text: string): void => {
    // The code that rejects the export also shows the reason.
    downloadRows(`${fileName}.csv`, text).catch(() => undefined);
  };
  return (
    <button
      type="button"
      title={title}
      onClick={() => {
        const text = write();
        if (typeof text === 'string') save(text);
        else text.then(save, notLoaded);
      }}
    >
      {label}
    </button>
  );
}
