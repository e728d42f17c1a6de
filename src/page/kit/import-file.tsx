import styles from './import-file.module.css';

/** A field for a JSON file. It is cleared after reading, so that the same file can be chosen again once corrected. */
export function ImportFile({ read }: { readonly read: (text: string) => void }) {
  return (
    <label className={styles['file']}>
      Import from file
      <input
        type="file"
        accept="application/json,.json"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          void file?.text().then(read);
          target.value = '';
        }}
      />
    </label>
  );
}
