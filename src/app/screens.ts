import { createElement } from 'react';
import { later, type LaterComponent } from '#ui/later.tsx';
import { Skeleton } from '#ui/panel/skeleton.tsx';

/** What a screen is given: the parts of its address that its path names. */
interface ScreenProps {
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Screen {
  readonly name: string;
  /** `:name` is a part of the address; a part in parentheses may be left out. */
  readonly path: string;
  /** Where its link leads. */
  readonly home: string;
  /** After `g`. */
  readonly key: string;
  readonly Component: LaterComponent<ScreenProps>;
}

const waiting = createElement(Skeleton);

const Price = later(async () => (await import('#views/price/price-screen.tsx')).PriceScreen, waiting);
const Markets = later(async () => (await import('#views/markets/markets-screen.tsx')).MarketsScreen, waiting);
const Volume = later(async () => (await import('#views/volume/volume-screen.tsx')).VolumeScreen, waiting);
const Orders = later(async () => (await import('#views/orders/orders-screen.tsx')).OrdersScreen, waiting);
const Funding = later(async () => (await import('#views/funding/funding-screen.tsx')).FundingScreen, waiting);
const OneFunding = later(async () => (await import('#views/funding/one/one-screen.tsx')).OneScreen, waiting);
const History = later(async () => (await import('#views/orders/history/history-screen.tsx')).HistoryScreen, waiting);
const Status = later(async () => (await import('#views/status/status-screen.tsx')).StatusScreen, waiting);

/** Every screen that is led to by its name. Each is code of its own, loaded when it is first opened. */
export const SCREENS: readonly Screen[] = [
  { name: 'Markets', path: '/', home: '/', key: 'm', Component: Markets },
  { name: 'Price', path: '/price(/:id)', home: '/price', key: 'p', Component: Price },
  { name: 'Volume / OI', path: '/volume', home: '/volume', key: 'v', Component: Volume },
  { name: 'Funding', path: '/funding', home: '/funding', key: 'f', Component: Funding },
  { name: 'Orders', path: '/orders', home: '/orders', key: 'o', Component: Orders },
  { name: 'History', path: '/orders/history', home: '/orders/history', key: 'h', Component: History },
  { name: 'Status', path: '/status', home: '/status', key: 's', Component: Status },
];

/** What lies below one of them and is a screen of its own. */
const BELOW: readonly Pick<Screen, 'name' | 'path' | 'Component'>[] = [{ name: 'Funding', path: '/funding/:base_symbol', Component: OneFunding }];

export interface FoundScreen {
  readonly screen: (typeof BELOW)[number];
  readonly parameters: ScreenProps['parameters'];
}

export function findScreen(path: string): FoundScreen | null {
  for (const screen of [...SCREENS, ...BELOW]) {
    const parameters = matchPath(screen.path, path);
    if (parameters !== null) return { screen, parameters };
  }
  return null;
}

function matchPath(pattern: string, path: string): ScreenProps['parameters'] | null {
  const source = pattern.replaceAll('(', '(?:').replaceAll(')', ')?').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${source}$`).exec(path);
  return match === null ? null : { ...match.groups };
}
