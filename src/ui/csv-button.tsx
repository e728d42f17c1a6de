import { download } from './download.ts';

interface CsvButtonProps {
  /** Without extension. */
  readonly fileName: string;
  /** Writes the file, when the button is pressed. */
  readonly write: () => string;
  readonly label?: string;
  readonly title?: string;
}

/** Saves figures of the screen as a CSV file. */
export function CsvButton({ fileName, write, label = 'CSV', title }: CsvButtonProps) {
  return (
    <button
      type="button"
      title={title}
      onClick={() => {
        download(`${fileName}.csv`, write());
      }}
    >
      {label}
    </button>
  );
}
