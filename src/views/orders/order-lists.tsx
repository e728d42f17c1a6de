import { Link } from '#ui/navigation/link.tsx';
import styles from './orders.module.css';

const LISTS = [
  ['Working', '/orders'],
  ['History', '/orders/history'],
] as const;

/** Leads from one list to the other; it stands where it stood when it was pressed. */
export function OrderLists({ here }: { readonly here: (typeof LISTS)[number][0] }) {
  return (
    <nav className={styles['lists']} aria-label="Lists of orders">
      {LISTS.map(([name, path]) => (
        <Link key={name} to={path} aria-current={name === here ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
