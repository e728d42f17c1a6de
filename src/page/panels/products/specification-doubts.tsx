import type { DeskProduct } from '#contract/desk/desk.ts';
import { exemplify } from '#model/format/count.ts';
import { nameProduct } from '#model/products/product-directory.ts';
import { useAnnounced } from '#page/kit/live-region.tsx';

interface SpecificationDoubtsProps {
  readonly products: readonly (DeskProduct | null)[];
  readonly className: string | undefined;
}

/** Says of which products the specification contradicts itself. */
export function SpecificationDoubts({ products, className }: SpecificationDoubtsProps) {
  const doubtful = products.flatMap((product) =>
    product?.doubts === undefined
      ? []
      : [{ name: nameProduct(product), reason: product.doubts.map(({ reason }) => reason).join(' ') }],
  );
  const { names, reason } = exemplify(doubtful);
  const title = `${names}: specification in doubt.`;
  useAnnounced(doubtful.length === 0 ? null : `${title} ${reason}`, true);
  return (
    doubtful.length > 0 && (
      <p className={className} role="note">
        <span>
          <strong>{title}</strong> {reason}
        </span>
      </p>
    )
  );
}
