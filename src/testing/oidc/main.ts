// An OpenID provider that signs anybody in by name: main.ts <port> <origin of the desk>.
import Provider from 'oidc-provider';
import { OIDC_PATHS } from '#contract/desk-access.ts';
import { CLIENT, GROUPS_OF } from './people.ts';

const [, , port = '', desk = ''] = process.argv;
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [desk + OIDC_PATHS.callback], post_logout_redirect_uris: [`${desk}/`] }],
  scopes: ['openid', 'profile', 'groups'],
  claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
  pkce: { required: () => true },
  cookies: { keys: ['only for tests'] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id, groups: [...(GROUPS_OF[id] ?? [])] }) }),
});
provider.listen(Number(port), '127.0.0.1', () => {
  console.log(`ready at ${issuer}`);
});
