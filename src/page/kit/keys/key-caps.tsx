import styles from './key-caps.module.css';

/** The keys of a shortcut as key caps. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className={styles['caps']}>
      {keys.split(/[ +]/).map((key, index) => (
        <kbd key={index}>
          {key === 'Mod' ? modifier() : key.length === 1 && keys.startsWith('Mod') ? key.toUpperCase() : key}
        </kbd>
      ))}
    </span>
  );
}

function modifier(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}
