import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { PictureOrigin } from '#page/kit/chart/save-picture.ts';
import type { Stamp } from './panel-body.tsx';

/** Returns the origin for the image of a chart drawn from this response. */
export function usePictureOrigin({ receivedAt, ageSeconds }: Pick<Stamp, 'receivedAt' | 'ageSeconds'>): PictureOrigin {
  const { queries } = useApi();
  const { data: source = null } = useQuery({ ...queries.desk.status({}), select: ({ value }) => value.venue.name });
  return useMemo(() => ({ source, readAt: receivedAt - (ageSeconds ?? 0) * 1_000 }), [source, receivedAt, ageSeconds]);
}
