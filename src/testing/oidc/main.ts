// Runs an OpenID provider that signs anyone in by name: main.ts <port> <origin of Perpdesk>.
import Provider from 'oidc-provider';
import { OIDC_PATHS } from '#contract/desk/access.ts';
import { BACK_CHANNEL_PATH } from '#contract/desk/oidc.ts';
import { CLIENT, GROUPS_OF, GROUPS_PATH, REVOKED_PATH } from './people.ts';

const [, , port = '', desk = ''] = process.argv;
const issuer = `http://127.0.0.1:${port}`;
let groupsOf = GROUPS_OF;
const grants = new Map<string, string>();

const provider = new Provider(issuer, {
  clients: [
    {
      ...{
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [desk + OIDC_PATHS.callback],
        post_logout_redirect_uris: [`${desk}/`],
      },
      ...{
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_uri: desk + BACK_CHANNEL_PATH,
        backchannel_logout_session_required: true,
      },
    },
  ],
  scopes: ['openid', 'profile', 'groups'],
  claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
  features: { backchannelLogout: { enabled: true } },
  pkce: { required: () => true },
  issueRefreshToken: () => Promise.resolve(true),
  // Each refresh token can be used once, as at strict providers.
  rotateRefreshToken: true,
  cookies: { keys: ['only for tests'] },
  // The protection against addresses of this machine is off, because Perpdesk runs on it.
  fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id, groups: [...(groupsOf[id] ?? [])] }),
  }),
});
provider.on('grant.success', ({ oidc }) => {
  if (oidc.account !== undefined && oidc.grant !== undefined) grants.set(oidc.account.accountId, oidc.grant.jti);
});
// This is what an administrator of the provider does.
provider.use(async (context, next) => {
  const { path, query } = context;
  const name = String(query['name']);
  if (path === GROUPS_PATH) groupsOf = { ...groupsOf, [name]: String(query['groups']).split(',') };
  else if (path === REVOKED_PATH) await (await provider.Grant.find(grants.get(name) ?? ''))?.destroy();
  else {
    await next();
    return;
  }
  context.body = 'done';
});
provider.listen(Number(port), '127.0.0.1', () => {
  console.log(`ready at ${issuer}`);
});
