import { Link } from '#page/kit/navigation/link.tsx';
import styles from './orders.module.css';

const LISTS = [
  ['Working', '/orders'],
  ['History', '/orders/history'],
  ['Activity', '/orders/activity'],
] as const;

/** Links between the lists; they keep their place when pressed. */
export function ListLinks({ here }: { readonly here?: (typeof LISTS)[number][0] }) {
  return (
    <nav className={styles['lists']} aria-label="Order lists">
      {LISTS.map(([name, path]) => (
        <Link key={name} to={path} aria-current={name === here ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
