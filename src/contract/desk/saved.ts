import type { DeskAction } from './actions.ts';
import { API_PREFIX } from './desk.ts';
import { flag, instant, integer, text } from '../exchange/fields.ts';
import { codeGrammar } from '../exchange/parameters.ts';
import { list, openEnum, row, scalar, type Static } from '../exchange/schema.ts';

/**
 * Saved items of people: their views, watchlists, column layouts, drawings and preferences, and the views that they share.
 */

/** Lists that have saved views. */
export const VIEW_LISTS = ['orders', 'history', 'activity'] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

/** Items that can be saved, by the pattern of their name. Anything else stays in the browser. */
export const SAVED_NAMES: Readonly<Record<string, RegExp>> = {
  'preferences': /^preferences$/,
  'watchlists': /^watchlists$/,
  'views of a list': new RegExp(`^(?:${VIEW_LISTS.join('|')})\\.views$`),
  'column layout': /^[\w-]{1,56}\.layout$/,
  'drawings of a product': /^\d{1,16}\.drawings$/,
};

export function isSavedName(name: string): boolean {
  return Object.values(SAVED_NAMES).some((form) => form.test(name));
}

/** Limits: characters of one item, characters of all items of a person, and number of items per person. */
export const SAVED_LIMITS = { text: 65_536, total: 524_288, items: 500 } as const;
/**
 * Limits of shared views: number per person, number in total, and characters of name and query. `texts`: characters of
 * the name and of all query values except the filters by account, clearing firm and connection.
 */
export const SHARED_LIMITS = { own: 100, all: 1_000, name: 100, query: 8_192, texts: 2_000 } as const;

/** Roles with which a view can be shared: those of people who may see orders. */
export const SHARED_ROLES = ['orders', 'operations', 'admin'] as const;
export type SharedRole = (typeof SHARED_ROLES)[number];

const person = text('Id of the person; empty where no one signs in.');
const version = integer('Counts the changes, from 1.');

const SavedItem = row('SavedItem', 'Something that a person has saved.', {
  name: text(
    'What it is: `preferences`, `watchlists`, or `orders.views`, `markets.layout`, `5614.drawings` and the like.',
  ),
  text: text('Its content, a JSON object; empty if it was cleared.'),
  version,
  saved_at: instant('When it was saved.'),
});
export type SavedItem = Static<typeof SavedItem>;

/** `GET /api/desk/saved`. */
export const DeskSaved = row(
  'DeskSaved',
  'All that the person of this request has saved: views, watchlists, column layouts, drawings and preferences.',
  { person, items: list(SavedItem) },
);
export type DeskSaved = Static<typeof DeskSaved>;

const sharedView = {
  list: openEnum(VIEW_LISTS, 'The list that it is a view of.'),
  name: text('Name of the view.'),
  query: text('Filters, sorting, grouping and columns, as in the address of the list, account codes included.'),
  role: openEnum(
    SHARED_ROLES,
    'People with this role see it, if they may see the accounts, clearing firms and connections that it names.',
  ),
} as const;

const SharedView = row('SharedView', 'A view that a person shares with a role.', {
  id: text('Names it.'),
  ...sharedView,
  by: text('Name of the person who shares it.'),
  is_own: flag('Whether the person of this request shares it.'),
  may_change: flag(
    'Whether the person of this request may change it and stop sharing it: only who shares it may, and administrators.',
  ),
  version,
  shared_at: instant('When it was shared or last changed.'),
});
export type SharedView = Static<typeof SharedView>;

/** `GET /api/desk/shared-views`. */
export const DeskSharedViews = row(
  'DeskSharedViews',
  'All shared views that the person of this request may use, by list and name. Those that name an ' +
    'account, a clearing firm or a connection that they may not see are not among them.',
  { views: list(SharedView) },
);
export type DeskSharedViews = Static<typeof DeskSharedViews>;

const read = { access: 'signed', waitsForVenue: false, keyFields: [], reuseSeconds: 5, query: {} } as const;
const at = (path: string) => `${API_PREFIX}/desk/${path}`;
const PATHS = { saved: at('saved'), sharedViews: at('shared-views') };

/** Endpoints for saved items, in the form of `DESK_ENDPOINTS`. */
export const SAVED_ENDPOINTS = {
  saved: { ...read, path: PATHS.saved, response: DeskSaved, rows: 'items' },
  sharedViews: { ...read, path: PATHS.sharedViews, response: DeskSharedViews, rows: 'views' },
} as const;

const before = integer(
  'The version that it replaces; 0: there is none yet. If there is another one by now, nothing is saved.',
);
const PutSaved = row('PutSavedItem', 'Something to be saved.', {
  person: text(
    'Id of the person that it belongs to: nothing is saved if another person has signed in since. Empty ' +
      'where no one signs in.',
  ),
  name: text('What it is.'),
  text: text(`Its content: a JSON object of at most ${String(SAVED_LIMITS.text)} characters, or empty to clear it.`),
  before,
});
const ShareView = row('ShareView', 'A view to be shared.', {
  id: text('The shared view to be changed; empty for a new one.'),
  list: scalar<ViewList>({ type: 'string', enum: VIEW_LISTS, description: 'The list that it is a view of.' }),
  name: sharedView.name,
  query: sharedView.query,
  role: scalar<SharedRole>({ type: 'string', enum: SHARED_ROLES, description: 'The role with which it is shared.' }),
  before,
});
export type ShareViewBody = Static<typeof ShareView>;

const idQuery = { id: { grammar: codeGrammar, description: 'Its id.' } } as const;

/** Actions for saved items, in the form of `DESK_ACTIONS`. */
export const SAVED_ACTIONS = {
  putSaved: {
    needs: 'signed in',
    summary: 'Saves something for the person of this request, for all of their browsers.',
    method: 'PUT',
    path: PATHS.saved,
    query: {},
    required: [],
    body: PutSaved,
    response: SavedItem,
  },
  shareView: {
    needs: 'orders',
    summary: 'Shares a view with all who have a role, or changes one that is shared.',
    method: 'PUT',
    path: PATHS.sharedViews,
    query: {},
    required: [],
    body: ShareView,
    response: SharedView,
  },
  unshareView: {
    needs: 'orders',
    summary: 'Stops sharing a view. Copies that others have made of it stay.',
    method: 'DELETE',
    path: PATHS.sharedViews,
    query: idQuery,
    required: ['id'],
    body: null,
    response: SharedView,
  },
} as const satisfies Record<string, DeskAction>;
