import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { ChannelTable } from './channel-table.tsx';
import { Deliveries } from './deliveries.tsx';

/** Whom alerts call, and what was delivered. */
export function Calls() {
  const { queries } = useApi();
  const query = useQuery(queries.desk.calls({}));
  return (
    <>
      <Panel
        title="Channels"
        query={query}
        everySeconds={DESK_ENDPOINTS.calls.reuseSeconds}
        emptyState={({ value }) => (value.channels.length === 0 ? <NoChannels /> : null)}
      >
        {({ value }) => <ChannelTable calls={value} />}
      </Panel>
      <Deliveries channels={query.data?.value.channels ?? []} />
    </>
  );
}

function NoChannels() {
  return (
    <EmptyState title="No channel is configured">
      <p>
        Alerts appear only in Perpdesk. To send calls, set webhooks in DESK_WEBHOOKS or mail addresses in DESK_MAIL_TO.
      </p>
    </EmptyState>
  );
}
