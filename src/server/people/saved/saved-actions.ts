import { randomBytes } from 'node:crypto';
import type { BodyError } from '#contract/desk/problems.ts';
import {
  isSavedName,
  SAVED_LIMITS,
  SHARED_LIMITS,
  type SavedItem,
  type SharedView,
  type ShareViewBody,
} from '#contract/desk/saved.ts';
import { hasUnseen, NO_UNSEEN } from '#contract/desk/unseen.ts';
import type { AccessMode } from '#contract/desk/roles.ts';
import { describeMistakes, VenueFailure } from '#server/core/venue-failure.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import { findEnd, toSavedOwner, type Viewer } from '#server/core/viewer.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { SavedStore, StoredView } from './saved-store.ts';
import { createViewScope, isTooLong, type CodesOf, type ViewScope } from './view-scope.ts';

interface SavedDeps {
  readonly store: SavedStore;
  readonly mode: AccessMode;
  /** Also finds the codes of orders that other desks have read. */
  readonly readCodes: () => Promise<CodesOf>;
  readonly now: () => number;
}

/** Creates the responders to the contract's endpoints of saved items and views. They return JSON. */
export function createSavedResponders({ store, mode, readCodes }: SavedDeps) {
  return {
    saved: async (_: Pairs, viewer: Viewer) => {
      rejectToken(viewer);
      return JSON.stringify({ person: viewer.person, items: await store.items(toSavedOwner(mode, viewer.person)) });
    },
    sharedViews: async (_: Pairs, viewer: Viewer) => {
      const owner = toSavedOwner(mode, viewer.person);
      const scope = createViewScope(viewer.scope, await readCodes());
      const seen = (await store.views()).filter((view) => mayUse(viewer, owner, view, scope));
      return JSON.stringify({ views: seen.toSorted(byListAndName).map((view) => describeView(viewer, owner, view)) });
    },
  };
}

interface Input<Body> {
  readonly body: Body;
  readonly query: Readonly<Record<string, string>>;
  readonly context: { readonly viewer: Viewer };
}

interface GivenItem {
  readonly person: string;
  readonly name: string;
  readonly text: string;
  readonly before: number;
}

/** Creates the performers of the contract's actions on saved items and views. */
export function createSavedPerformers({ store, mode, readCodes, now }: SavedDeps) {
  return {
    putSaved: ({ body, context: { viewer } }: Input<GivenItem>): Promise<SavedItem> => {
      rejectToken(viewer);
      if (body.person !== viewer.person)
        throw new VenueFailure({
          type: 'not-allowed',
          detail: 'Another person has signed in since this page was loaded, so nothing was saved. Reload the page.',
        });
      rejectMistakes(findItemMistakes(body));
      return store.putItem(toSavedOwner(mode, viewer.person), (items) => {
        rejectEnded(viewer);
        const { name, text, before } = body;
        const stored = items.find((item) => item.name === name);
        if ((stored?.version ?? 0) !== before) throw changed(`"${name}" has been saved from elsewhere meanwhile`);
        rejectMistakes(findExcess([...items.filter((item) => item !== stored), body]));
        return { name, text, version: before + 1, saved_at: toInstant(now()) };
      });
    },
    shareView: async ({ body, context: { viewer } }: Input<ShareViewBody>): Promise<SharedView> => {
      const owner = toSavedOwner(mode, viewer.person);
      const scope = createViewScope(viewer.scope, await readCodes());
      rejectMistakes([...findViewMistakes(body), ...(scope.hasOwners(body) ? [] : [BEYOND_SCOPE])]);
      const view = await store.putView((views) => {
        rejectEnded(viewer);
        const stored = body.id === '' ? null : mustFind(views, viewer, owner, body.id, scope);
        if ((stored?.version ?? 0) !== body.before)
          throw changed(`The shared view "${stored?.name ?? body.name}" has been changed meanwhile`);
        const { id, owner: sharer, by } = stored ?? { id: randomBytes(9).toString('hex'), owner, by: viewer.name };
        const named = stored !== null && (stored.named ?? null) === null ? null : scope.findNamed(body);
        const shared = { id, owner: sharer, by, ...toFields(body), named, version: body.before + 1, sharedAt: now() };
        rejectMistakes(findCrowding(views, shared));
        return shared;
      });
      return describeView(viewer, owner, view);
    },
    unshareView: async ({ query, context: { viewer } }: Input<null>): Promise<SharedView> => {
      const owner = toSavedOwner(mode, viewer.person);
      const scope = createViewScope(viewer.scope, await readCodes());
      const view = await store.dropView((views) => mustFind(views, viewer, owner, query['id'] ?? '', scope));
      return describeView(viewer, owner, view);
    },
  };
}

/**
 * Rejects a viewer whose rights ended while the write waited. A deleted person's items are gone and must not come back.
 */
function rejectEnded(viewer: Viewer): void {
  const problem = findEnd(viewer);
  if (problem !== null) throw new VenueFailure(problem);
}

/** A token may have a narrower scope than its person, whose views may name what the token must not see. */
function rejectToken({ id, person }: Viewer): void {
  if (person !== '' && id !== person)
    throw new VenueFailure({
      type: 'not-allowed',
      detail: 'What people save is for their browsers: a token cannot read or change it.',
    });
}

/** People who share a view wrote its texts, so only its filters are checked for them. For others, all texts are. */
function mayUse(viewer: Viewer, owner: string, view: StoredView, { hasOwners, hasTexts }: ViewScope): boolean {
  if (view.owner === owner) return hasOwners(view);
  return (viewer.roles.has(view.role) || viewer.roles.has('admin')) && hasTexts(view);
}

function mayChange({ roles }: Viewer, owner: string, view: StoredView): boolean {
  return view.owner === owner || roles.has('admin');
}

function mustFind(
  views: readonly StoredView[],
  viewer: Viewer,
  owner: string,
  id: string,
  scope: ViewScope,
): StoredView {
  const view = views.find((one) => one.id === id && mayUse(viewer, owner, one, scope));
  if (view === undefined)
    throw new VenueFailure({
      type: 'bad-parameter',
      detail: 'There is no such shared view: it may no longer be shared.',
      parameter: 'id',
    });
  if (!mayChange(viewer, owner, view))
    throw new VenueFailure({
      type: 'not-allowed',
      detail: `Only ${view.by}, who shares this view, and administrators may change it. Copy it to change the copy.`,
    });
  return view;
}

function describeView(viewer: Viewer, owner: string, view: StoredView): SharedView {
  const { id, by, version, sharedAt } = view;
  return {
    id,
    ...toFields(view),
    by,
    is_own: view.owner === owner,
    may_change: mayChange(viewer, owner, view),
    version,
    shared_at: toInstant(sharedAt),
  };
}

function toFields({ list, name, query, role }: Pick<ShareViewBody, 'list' | 'name' | 'query' | 'role'>) {
  return { list, name: name.trim(), query, role };
}

function byListAndName(a: StoredView, b: StoredView): number {
  return a.list.localeCompare(b.list, 'en') || a.name.localeCompare(b.name, 'en', { numeric: true });
}

function changed(what: string): VenueFailure {
  return new VenueFailure({ type: 'changed-meanwhile', detail: `${what}, so nothing was saved. Read it again first.` });
}

function rejectMistakes(errors: readonly BodyError[]): void {
  const [first] = errors;
  if (first !== undefined)
    throw new VenueFailure({ type: 'bad-body', detail: describeMistakes(errors.length, first.path), errors });
}

const BEYOND_SCOPE: BodyError = {
  path: '$.query',
  detail: 'must not filter by accounts, clearing firms or connections whose orders you may not see',
};

function findItemMistakes({ name, text }: GivenItem): readonly BodyError[] {
  return [
    ...(isSavedName(name)
      ? []
      : [
          {
            path: '$.name',
            detail:
              'must be preferences, watchlists, the views of a list, the layout of a table or the drawings of a product',
          },
        ]),
    ...(text.length > SAVED_LIMITS.text
      ? [{ path: '$.text', detail: `must have at most ${count(SAVED_LIMITS.text)} characters` }]
      : []),
    ...(text === '' || (isObject(text) && text.isWellFormed())
      ? []
      : [{ path: '$.text', detail: 'must be a JSON object, or empty' }]),
  ];
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function findExcess(items: readonly Pick<SavedItem, 'text'>[]): readonly BodyError[] {
  const characters = items.reduce((sum, { text }) => sum + text.length, 0);
  return [
    ...(items.length > SAVED_LIMITS.items
      ? [{ path: '$.name', detail: `must not make more than ${count(SAVED_LIMITS.items)} items in all` }]
      : []),
    ...(characters > SAVED_LIMITS.total
      ? [
          {
            path: '$.text',
            detail:
              `must not make more than ${count(SAVED_LIMITS.total)} characters of all that you ` +
              'have saved: delete views that you no longer use',
          },
        ]
      : []),
  ];
}

function findViewMistakes({ name, query }: Pick<ShareViewBody, 'name' | 'query'>): readonly BodyError[] {
  const length = name.trim().length;
  return [
    ...(length === 0 || length > SHARED_LIMITS.name
      ? [{ path: '$.name', detail: `must have 1 to ${count(SHARED_LIMITS.name)} characters` }]
      : hasUnseen(name)
        ? [{ path: '$.name', detail: NO_UNSEEN }]
        : []),
    ...(query.length > SHARED_LIMITS.query
      ? [{ path: '$.query', detail: `must have at most ${count(SHARED_LIMITS.query)} characters` }]
      : []),
    ...(query.length <= SHARED_LIMITS.query && isTooLong({ name, query })
      ? [
          {
            path: '$.query',
            detail:
              `must have at most ${count(SHARED_LIMITS.texts)} characters, with the name, besides ` +
              'filters by account, clearing firm and connection',
          },
        ]
      : []),
  ];
}

function findCrowding(views: readonly StoredView[], view: StoredView): readonly BodyError[] {
  const others = views.filter(({ id }) => id !== view.id);
  const own = others.filter(({ owner }) => owner === view.owner);
  const isTaken = own.some(({ list, name, role }) => list === view.list && name === view.name && role === view.role);
  return [
    ...(isTaken
      ? [
          {
            path: '$.name',
            detail:
              'must differ from the names of the other views of this list that the same person shares with this role',
          },
        ]
      : []),
    ...(own.length >= SHARED_LIMITS.own
      ? [{ path: '$', detail: `must not make more than ${count(SHARED_LIMITS.own)} views that one person shares` }]
      : []),
    ...(others.length >= SHARED_LIMITS.all
      ? [{ path: '$', detail: `must not make more than ${count(SHARED_LIMITS.all)} shared views in all` }]
      : []),
  ];
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
