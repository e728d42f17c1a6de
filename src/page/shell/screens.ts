import { createElement } from 'react';
import { may } from '#page/client/access.ts';
import type { DeskMe } from '#contract/desk/access.ts';
import type { Need } from '#contract/desk/roles.ts';
import { lazy, type LazyComponent } from '#page/kit/lazy.tsx';
import { Skeleton } from '#page/panels/panel-body.tsx';

interface ScreenProps {
  /** The values of the named parts of the address. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Screen {
  readonly name: string;
  /** `:name` is a named part; parentheses make a part optional. */
  readonly path: string;
  /** The path without its optional part. */
  readonly home: string;
  /** The screen that the navigation highlights instead; such a screen has no entry of its own. */
  readonly within?: string;
  /** The second key of the screen's shortcut, after `g`. */
  readonly key: string;
  readonly needs: Need;
  /** Whether the screen exists only where people sign in. */
  readonly isOfAccess?: boolean;
  readonly Component: LazyComponent<ScreenProps>;
}

const skeleton = createElement(Skeleton);

const Price = lazy(async () => (await import('#page/screens/price/price-screen.tsx')).PriceScreen, skeleton);
const Curve = lazy(async () => (await import('#page/screens/curve/curve-screen.tsx')).CurveScreen, skeleton);
const Markets = lazy(async () => (await import('#page/screens/markets/markets-screen.tsx')).MarketsScreen, skeleton);
const Volume = lazy(async () => (await import('#page/screens/volume/volume-screen.tsx')).VolumeScreen, skeleton);
const Orders = lazy(async () => (await import('#page/screens/orders/working-screen.tsx')).WorkingScreen, skeleton);
const Funding = lazy(
  async () => (await import('#page/screens/funding/compare/compare-screen.tsx')).CompareScreen,
  skeleton,
);
const PerpetualFunding = lazy(
  async () => (await import('#page/screens/funding/perpetual/perpetual-screen.tsx')).PerpetualScreen,
  skeleton,
);
const History = lazy(
  async () => (await import('#page/screens/orders/history/history-screen.tsx')).HistoryScreen,
  skeleton,
);
const OrderLife = lazy(async () => (await import('#page/screens/orders/life/life-screen.tsx')).LifeScreen, skeleton);
const OrderActivity = lazy(
  async () => (await import('#page/screens/orders/activity/activity-screen.tsx')).ActivityScreen,
  skeleton,
);
const Rules = lazy(async () => (await import('#page/screens/rules/rules-screen.tsx')).RulesScreen, skeleton);
const RuleForm = lazy(
  async () => (await import('#page/screens/rules/form/rule-form-screen.tsx')).RuleFormScreen,
  skeleton,
);
const Handover = lazy(
  async () => (await import('#page/screens/rules/handover/handover-screen.tsx')).HandoverScreen,
  skeleton,
);
const Access = lazy(async () => (await import('#page/screens/access/access-screen.tsx')).AccessScreen, skeleton);
const Status = lazy(async () => (await import('#page/screens/status/status-screen.tsx')).StatusScreen, skeleton);

const TABLE: readonly Omit<Screen, 'home'>[] = [
  { name: 'Markets', path: '/', key: 'm', needs: 'markets', Component: Markets },
  { name: 'Price', path: '/price(/:id)', key: 'p', needs: 'markets', Component: Price },
  { name: 'Curve', path: '/curve(/:underlying)', key: 'b', needs: 'markets', Component: Curve },
  { name: 'Volume / OI', path: '/volume(/:products)', key: 'v', needs: 'markets', Component: Volume },
  { name: 'Funding', path: '/funding', key: 'f', needs: 'markets', Component: Funding },
  { name: 'Orders', path: '/orders', key: 'o', needs: 'orders', Component: Orders },
  { name: 'History', path: '/orders/history', key: 'h', needs: 'orders', Component: History },
  {
    name: 'Activity',
    path: '/orders/activity',
    within: 'Orders',
    key: 'a',
    needs: 'orders',
    Component: OrderActivity,
  },
  { name: 'Rules', path: '/rules', key: 'r', needs: 'operations', Component: Rules },
  { name: 'Status', path: '/status', key: 's', needs: 'markets', Component: Status },
  {
    name: 'Account',
    path: '/account',
    within: 'Account',
    key: 'c',
    needs: 'signed in',
    isOfAccess: true,
    Component: Access,
  },
  {
    name: 'People',
    path: '/people',
    within: 'Account',
    key: 'e',
    needs: 'admin',
    isOfAccess: true,
    Component: Access,
  },
  {
    name: 'Audit',
    path: '/audit',
    within: 'Account',
    key: 'u',
    needs: 'admin',
    isOfAccess: true,
    Component: Access,
  },
];

/**
 * The screens that the navigation, palette and shortcuts offer. Each is a chunk of its own, loaded when first opened.
 */
export const SCREENS: readonly Screen[] = TABLE.map((screen) => ({
  ...screen,
  home: screen.path.replace(/\(.*/, ''),
}));

/** Returns the screens that the person may use. */
export function toUsable(desk: DeskMe | null): readonly Screen[] {
  return SCREENS.filter((screen) => isUsable(screen, desk));
}

export function isUsable({ needs, isOfAccess }: Pick<Screen, 'needs' | 'isOfAccess'>, desk: DeskMe | null): boolean {
  return desk === null ? isOfAccess !== true : may(desk, needs);
}

/** Screens below one of `SCREENS`, shown under its name. */
const SUB_SCREENS: readonly Pick<Screen, 'name' | 'within' | 'path' | 'needs' | 'isOfAccess' | 'Component'>[] = [
  { name: 'Funding', path: '/funding/:base_symbol', needs: 'markets', Component: PerpetualFunding },
  { name: 'Orders', path: '/orders/life/:order_id', needs: 'orders', Component: OrderLife },
  { name: 'Rules', path: '/rules/handover', needs: 'operations', Component: Handover },
  { name: 'Rules', path: '/rules/new', needs: 'operations', Component: RuleForm },
  { name: 'Rules', path: '/rules/edit/:rule_id', needs: 'operations', Component: RuleForm },
];

export interface ScreenMatch {
  readonly screen: (typeof SUB_SCREENS)[number];
  readonly parameters: ScreenProps['parameters'];
}

export function matchScreen(path: string): ScreenMatch | null {
  for (const screen of [...SCREENS, ...SUB_SCREENS]) {
    const parameters = matchPath(screen.path, path);
    if (parameters !== null) return { screen, parameters };
  }
  return null;
}

function matchPath(pattern: string, path: string): ScreenProps['parameters'] | null {
  const source = pattern
    .replaceAll('(', '(?:')
    .replaceAll(')', ')?')
    .replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${source}$`).exec(path);
  return match === null ? null : { ...match.groups };
}
