import styles from '../shared/rules.module.css';

/** A long one takes two lines, so that a phone has room for more than names. */
export function ChannelName({ name }: { readonly name: string }) {
  return <span className={styles['name']}>{name}</span>;
}
