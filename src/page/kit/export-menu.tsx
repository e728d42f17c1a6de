import type { CsvForm } from '#model/format/csv.ts';
import { useProvideCommands } from './commands.tsx';
import { useSaveCsv } from './csv-button.tsx';
import { MenuButton } from './menu-button.tsx';
import type { MenuItem } from './menu.tsx';

export interface Exports {
  /** What is exported, where a screen has several such menus. */
  readonly of?: string;
  /** The name of the CSV files, without extension. */
  readonly fileName: string;
  /** Writes a CSV file, when it is chosen. Its code may load only then. */
  readonly write: (form: CsvForm) => string | Promise<string>;
  /** Further forms of the same data. */
  readonly more?: readonly MenuItem[];
}

/** Saves figures of the screen as CSV files, with or without the provenance of each, and in further forms. */
export function ExportMenu({ of, fileName, write, more = [] }: Exports) {
  const save = useSaveCsv();
  const items: readonly MenuItem[] = [
    {
      label: 'CSV, figures only',
      run: () => {
        save(`${fileName}-figures`, () => write('figures'));
      },
    },
    {
      label: 'CSV, with sources',
      run: () => {
        save(fileName, () => write('full'));
      },
    },
    ...more,
  ];
  const label = of === undefined ? 'Export' : `Export ${of}`;
  useProvideCommands(() =>
    items.map(({ label: name, remark = label, run }) => ({ group: 'This screen', label: name, remark, run })),
  );
  return (
    <MenuButton label={label} items={items}>
      Export <span aria-hidden="true">▾</span>
    </MenuButton>
  );
}
