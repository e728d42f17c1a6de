import { Face } from '#ui/face.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { SCREENS } from './screens.ts';

export function NotFound({ path }: { readonly path: string }) {
  return (
    <Face title="There is no such screen">
      <p>Nothing is at {path}. The link may be of another version, or mistyped. These are the screens:</p>
      <ul>
        {SCREENS.map(({ name, home }) => (
          <li key={name}>
            <Link to={home}>{name}</Link>
          </li>
        ))}
      </ul>
    </Face>
  );
}
