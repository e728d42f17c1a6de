import { downloadRows } from './download.ts';
import { useLoadErrorToast } from './toast.tsx';

type WriteCsv = () => string | Promise<string>;

/** Returns a function that writes and saves a CSV file; its name is without extension. */
export function useSaveCsv(): (fileName: string, write: WriteCsv) => void {
  const showLoadError = useLoadErrorToast();
  return (fileName, write) => {
    const save = (text: string): void => {
      // The code that rejects the export also shows the reason.
      downloadRows(`${fileName}.csv`, text).catch(() => undefined);
    };
    const text = write();
    if (typeof text === 'string') save(text);
    else text.then(save, showLoadError);
  };
}

interface CsvButtonProps {
  readonly fileName: string;
  /** Writes the file, when the button is pressed. */
  readonly write: WriteCsv;
  readonly label?: string;
}

/** A button for a table that has only one form. */
export function CsvButton({ fileName, write, label = 'CSV' }: CsvButtonProps) {
  const save = useSaveCsv();
  return (
    <button
      type="button"
      onClick={() => {
        save(fileName, write);
      }}
    >
      {label}
    </button>
  );
}
