import { useEffect, useMemo, useState } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { nameProduct } from '#model/products/product-directory.ts';
import { useMay } from '#page/client/react/use-api.tsx';
import { useProvideCommands } from '#page/kit/commands.tsx';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { MenuButton } from '#page/kit/menu-button.tsx';
import { useNavigator } from '#page/kit/navigation.tsx';
import { useCopyLink } from '#page/kit/use-copy-link.ts';
import { useKeys } from '#page/kit/use-keys.tsx';
import { useNeighbours } from '#page/kit/walked-list.ts';
import { useProductStar } from '#page/panels/products/use-product-star.ts';
import { toRuleAddress } from './shared/alert-at-level.ts';
import { useOpenProduct } from './shared/use-open-product.ts';
import styles from './shared/price.module.css';

interface ProductActionsProps {
  readonly product: DeskProduct;
  /** The last price in USD; null if it is unknown or withheld. */
  readonly last: string | null;
}

interface Action {
  readonly sign: string;
  readonly label: string;
  readonly run: () => void;
}

/** Star, alert, link and neighbours of the product: as buttons, and where space is limited, as a menu. */
export function ProductActions({ product, last }: ProductActionsProps) {
  const name = nameProduct(product);
  const actions = [useStarAction(product), ...useAlertAction(product, last), useLinkAction(), ...useWalkActions(name)];
  useProvideCommands(() => actions.map(({ label, run }) => ({ group: 'This screen', label, remark: name, run })));
  return (
    <>
      <span className={styles['actions']}>
        {actions.map(({ sign, label, run }) => (
          <button key={label} type="button" aria-label={label} title={label} onClick={run}>
            {sign}
          </button>
        ))}
      </span>
      <MenuButton label={`Actions on ${name}`} items={actions} className={styles['actionsMenu']}>
        ⋯
      </MenuButton>
    </>
  );
}

function useStarAction(product: DeskProduct): Action {
  const { listName, isOn, toggle } = useProductStar(toNumber(product.product_id));
  return { sign: isOn ? '★' : '☆', label: isOn ? `Remove from ${listName}` : `Add to ${listName}`, run: toggle };
}

/** Opens the form of a rule about the price, filled in. */
function useAlertAction({ symbol }: DeskProduct, last: string | null): readonly Action[] {
  const navigator = useNavigator();
  const mayMakeRules = useMay('operations');
  if (!mayMakeRules || symbol === undefined) return [];
  const run = (): void => {
    navigator.go(toRuleAddress(symbol, last, navigator.read()));
  };
  return [{ sign: 'Alert', label: 'Alert on the price', run }];
}

const COPIED_MS = 2_000;

function useLinkAction(): Action {
  const [isCopied, setCopied] = useState(false);
  const copyLink = useCopyLink();
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => {
      setCopied(false);
    }, COPIED_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [isCopied]);
  const run = (): void => {
    copyLink(() => {
      setCopied(true);
    });
  };
  return { sign: isCopied ? 'Copied ✓' : 'Copy link', label: 'Copy link', run };
}

/** Leads to the neighbours in the list from which the product was opened. */
function useWalkActions(name: string): readonly Action[] {
  const { previous, next } = useNeighbours(name);
  const open = useOpenProduct();
  const walks = useMemo(
    () => [
      ...toWalk({ key: '[', sign: '‹', label: 'Previous product of the list' }, previous, open),
      ...toWalk({ key: ']', sign: '›', label: 'Next product of the list' }, next, open),
    ],
    [previous, next, open],
  );
  useKeys(useMemo(() => walks.map(({ binding }) => binding), [walks]));
  return walks.map(({ action }) => action);
}

interface Direction {
  readonly key: string;
  readonly sign: string;
  readonly label: string;
}

function toWalk(
  { key, sign, label }: Direction,
  name: string | null,
  open: (name: string) => void,
): readonly { readonly action: Action; readonly binding: KeyBinding }[] {
  if (name === null) return [];
  const run = (): void => {
    open(name);
  };
  return [{ action: { sign, label: `${label}: ${name}`, run }, binding: { keys: key, label, group: 'Chart', run } }];
}
